// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// What `print` and `typeof` say of the program's objects and values.
  @Suite struct ShownTests {
    /// What the expression on `self` is as text.
    private func text(_ expression: String, of mayfly: Mayfly = Mayfly(name: "x")) throws -> String
    {
      try withPatch(
        """
        local M = class "Bank.Mayfly"
        M:field("tries", 0)
        function M:meet(other) return tostring(\(expression)) end
        """
      ) {
        let text = mayfly.meet(mayfly)
        expectEqual(faults(), [])
        return text
      }
    }

    /// As texts of references have it.
    private func address(_ object: AnyObject) -> String {
      "@0x" + String(UInt(bitPattern: ObjectIdentifier(object)), radix: 16)
    }

    @Test func `an object shows its type, address and constants, and its script's fields`() throws {
      let mayfly = BigMayfly(name: "Ada")
      mayfly.other = mayfly
      try expectEqual(
        text("self", of: mayfly),
        "Bank.BigMayfly\(address(mayfly))(number: \(mayfly.number), …)")
      try expectEqual(
        text("(function() self.tries = 3 return self end)()", of: mayfly),
        "Bank.BigMayfly\(address(mayfly))(number: \(mayfly.number), tries: 3, …)")
    }

    @Test func `what may change is shown on request, and no reference is followed`() throws {
      let mayfly = BigMayfly(name: "Ada \"the fly\"")
      mayfly.other = mayfly
      let place = address(mayfly)
      try expectEqual(
        text("reveal(self)", of: mayfly),
        "Bank.BigMayfly\(place)(number: \(mayfly.number), name: \"Ada \\\"the fly\\\"\", "
          + "other: BigMayfly\(place), neighbour: nil, weight: 1.5)")
      let other = Mayfly(name: String(repeating: "long ", count: 100))
      other.neighbour = mayfly
      let shown = try text("reveal(self)", of: other)
      #expect(shown.hasSuffix("…, other: nil, neighbour: BigMayfly\(place))"))
      #expect(shown.utf8.count < 200)
      try expectEqual(text("reveal(5) .. reveal('a') .. reveal(nil)"), "5anil")
    }

    @Test func `values in an object are shortened`() throws {
      let account = Account(id: 7, owner: "Ada")
      account.tags = (0..<20).map { "tag \($0)" }
      account.parent = account
      account.linked = ["b": account, "a": account]
      try withPatch(
        "local A = class 'Bank.Account'\nfunction A:describe() return reveal(self) end"
      ) {
        let place = address(account)
        expectEqual(
          account.describe(),
          """
          Bank.Account\(place)(id: 7, owner: "Ada", balance: 0, tags: ["tag 0", "tag 1", "tag 2", \
          "tag 3", "tag 4", "tag 5", "tag 6", "tag 7", … 12 more], parent: Account\(place), \
          friend: nil, observed: 0, observations: [], note: nil, \
          linked: ["a": Account\(place), "b": Account\(place)])
          """)
        expectEqual(faults(), [])
      }
    }

    @Test func `an object in its deinitializer is not touched`() throws {
      Swan.songs.withLock { $0 = [] }
      try withPatch(
        """
        local S = class "Bank.Swan"
        function S:sing() return tostring(self) end
        """
      ) {
        do { _ = Swan(name: "a") }
        expectEqual(faults(), [])
      }
      expectEqual(Swan.songs.withLock { $0 }, ["Bank.Swan (being deinitialized)"])
    }

    @Test func `a struct shows its type and properties`() throws {
      let keeper = Keeper()
      try withPatch(
        """
        local K = class "Bank.Keeper"
        function K:open(c) shown = tostring(c) return c end
        function K:ask() return shown end
        """
      ) {
        let content = Mayfly(name: "in it")
        _ = keeper.open(Cocoon(size: 3, content: content))
        expectEqual(keeper.ask(), "Bank.Cocoon(size: 3, content: Mayfly\(address(content)))")
        expectEqual(faults(), [])
      }
    }

    @Test func `typeof lists a type's members`() throws {
      let lines = try text("typeof(self)", of: BigMayfly(name: "x")).split(separator: "\n")
      expectEqual(lines.first, "class Bank.BigMayfly: Bank.Mayfly")
      let members = Set(lines.dropFirst().map { String($0.dropFirst(2)) })
      let expected: Set = [
        "let number: Int", "var name: String", "var other: Bank.Mayfly?",
        "weak var neighbour: Bank.Mayfly?", "var weight: Double", "init(name: String)",
        "func rest() -> Int", "func meet(_: Mayfly) -> String",
        "static func hatch(name: String) -> Mayfly",
      ]
      #expect(expected.isSubset(of: members), "\(members)")
      try expectEqual(text("typeof(self).name"), "Bank.Mayfly")
      try expectEqual(text("typeof(self).kind"), "class")
      try expectEqual(text("typeof(self) == typeof(class 'Bank.Mayfly')"), "true")
      try expectEqual(text("typeof(class 'Bank.Cocoon').kind"), "struct")
      try expectEqual(text("typeof(5) .. typeof(0.5) .. typeof('')"), "integerfloatstring")
      try expectEqual(text("typeof(weak(self))"), "weak reference")
      #expect(
        try text("typeof(class 'Bank.Account')").contains("\n  var title: String { get set }\n"))
    }

    @Test func `values behind protocols are shown as what they are`() throws {
      let text = try withPatch(
        "local F = class 'Bank.Folder'\nfunction F:inspect() return reveal(self) end"
      ) { Folder().inspect() }
      expectEqual(
        text.replacing(#/@0x[0-9a-f]+/#, with: "@"),
        "Bank.Folder@(top: SignedSlip(signature: \"t\"), "
          + "more: [SignedSlip(signature: \"m\"), Letter@], "
          + "byName: [\"a\": SignedSlip(signature: \"d\")], "
          + "optional: SignedSlip(signature: \"o\"))")
    }

    @Test func `nothing of the program runs, and no reference is followed, to show constants`()
      throws
    {
      let texts = try withPatch(
        """
        local S = class "Bank.Specimen"
        function S:describe(label) return tostring(self) .. " | " .. tostring(label) end
        """
      ) {
        let specimen = Specimen()
        let texts = [
          specimen.describe(.several(specimen, [specimen])),
          specimen.describe(.boxed(.plain(x: 3))),
          specimen.describe(.none),
        ]
        expectEqual(faults(), [])
        return texts.map { $0.replacing(#/@0x[0-9a-f]+/#, with: "@") }
      }
      expectEqual(
        texts[at: 0],
        """
        Bank.Specimen@(label: boxed(several(SpecimenKey@, [1 elements])), guarded: …, \
        keys: [SpecimenKey@: 1], run: a function, error: SpecimenError@, \
        tag: SpecimenTag(key: SpecimenKey@, name: "t"), size: 3 mm, kind: Bank.SpecimenKey, \
        any: SpecimenTag(key: SpecimenKey@, name: "a"), hashable: SpecimenKey@, keeper: nil, …) \
        | several(Specimen@, [Specimen@])
        """)
      expectEqual(texts[at: 1].split(separator: "| ").last, "boxed(plain(x: 3))")
      expectEqual(texts[at: 2].split(separator: "| ").last, "none")
      expectEqual(SpecimenKey.asked.load(ordering: .relaxed), 0)
    }

    @Test func `errors with references are not asked for their description`() throws {
      let texts = try withPatch(
        """
        local S = class "Bank.Specimen"
        function S:failure(number)
          local _, problem = pcall(function() return self:fail(number) end)
          return tostring(problem)
        end
        """
      ) { (0..<3).map { Specimen().failure($0).replacing(#/@0x[0-9a-f]+/#, with: "@") } }
      expectEqual(
        texts, ["a plain error: 7", "Bank.SpecimenError@(code: 7, …)", "about(Specimen@)"])
      expectEqual(SpecimenKey.asked.load(ordering: .relaxed), 0)
    }

    @Test func `what an actor guards is revealed to calls on it alone`() async throws {
      let ledger = AsyncLedger(total: 5)
      let text = try await withAsyncPatch(
        """
        local L, M = class "Bank.AsyncLedger", class "Bank.Mayfly"
        local kept, inside
        function L:add(n)
          kept, inside = self, reveal(self)
          return self:ORIGadd(n)
        end
        function M:meet(other) return inside .. " " .. reveal(kept) end
        """
      ) {
        _ = await ledger.add(1)
        let mayfly = Mayfly(name: "x")
        let text = mayfly.meet(mayfly)
        expectEqual(faults(), [])
        return text
      }
      expectEqual(
        text.replacing(#/@0x[0-9a-f]+/#, with: "@"),
        "Bank.AsyncLedger@(total: 5, log: [], depth: 0) Bank.AsyncLedger@(…)")
    }

    @Test func `the policy forbids to show what may change`() throws {
      WaxwingEngine.policy.changingFields = .hidden
      let text = try text("select(2, pcall(reveal, self))")
      expectContains(
        text, "reveal is not allowed here: the program's policy hides properties that can change")
    }
  }
}
