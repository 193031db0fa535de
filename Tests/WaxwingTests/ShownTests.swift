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

    @Test func `an object shows its type and properties, and its script's fields`() throws {
      let mayfly = BigMayfly(name: "Ada \"the fly\"")
      mayfly.other = mayfly
      try expectEqual(
        text("self", of: mayfly),
        "Bank.BigMayfly(number: \(mayfly.number), name: \"Ada \\\"the fly\\\"\", "
          + "other: BigMayfly(…), neighbour: nil, weight: 1.5)")
      let other = Mayfly(name: String(repeating: "long ", count: 100))
      other.neighbour = mayfly
      let shown = try text("(function() self.tries = 3 return self end)()", of: other)
      #expect(shown.hasSuffix("…, other: nil, neighbour: BigMayfly(…), tries: 3)"))
      #expect(shown.utf8.count < 200)
    }

    @Test func `values in an object are shortened`() throws {
      let account = Account(id: 7, owner: "Ada")
      account.tags = (0..<20).map { "tag \($0)" }
      account.parent = account
      account.linked = ["b": account, "a": account]
      try withPatch(
        "local A = class 'Bank.Account'\nfunction A:describe() return tostring(self) end"
      ) {
        expectEqual(
          account.describe(),
          """
          Bank.Account(id: 7, owner: "Ada", balance: 0, tags: ["tag 0", "tag 1", "tag 2", \
          "tag 3", "tag 4", "tag 5", "tag 6", "tag 7", … 12 more], parent: Account(…), \
          friend: nil, observed: 0, observations: [], note: nil, \
          linked: ["a": Account(…), "b": Account(…)]): account
          """.replacing(": account", with: ""))
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
        _ = keeper.open(Cocoon(size: 3, content: Mayfly(name: "in it")))
        expectEqual(keeper.ask(), "Bank.Cocoon(size: 3, content: Mayfly(…))")
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
        "local F = class 'Bank.Folder'\nfunction F:inspect() return tostring(self) end"
      ) { Folder().inspect() }
      expectEqual(
        text,
        "Bank.Folder(top: SignedSlip(signature: \"t\"), "
          + "more: [SignedSlip(signature: \"m\"), Letter(…)], "
          + "byName: [\"a\": SignedSlip(signature: \"d\")], "
          + "optional: SignedSlip(signature: \"o\"))")
    }
  }
}
