// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// Fields that scripts add to objects.
  @Suite struct LifetimeFieldTests {
    private let fields = """
      local M = class "Bank.Mayfly"
      M:field("rests", 0)
      M:field("seen", function(self) return {} end)
      M:field("friend")
      """

    @Test func `each instance keeps its own value, and a subclass's has fields too`() throws {
      let first = Mayfly(name: "first")
      let second = BigMayfly(name: "second")
      let numbers = (first.rest(), second.rest())
      try withPatch(
        fields + """

          function M:rest() self.rests = self.rests + 1 return self.rests end
          function M:meet(other)
            self.seen[#self.seen + 1] = other.name
            return table.concat(self.seen, ",")
          end
          """
      ) {
        expectEqual([first.rest(), first.rest(), first.rest()], [1, 2, 3])
        expectEqual(second.rest(), 1001)
        expectEqual(first.meet(second), "second")
        expectEqual(first.meet(first), "second,first")
        expectEqual(second.meet(first), "first")
        expectEqual(faults(), [])
      }
      #expect((first.rest(), second.rest()) == numbers)
    }

    @Test func `an object that is pushed twice is equal to itself and shares its fields`()
      throws
    {
      let mayfly = Mayfly(name: "twice")
      try withPatch(
        fields + """

          function M:same(other)
            if other then
              assert(self == other and rawequal(self, other))
              self.rests = 7
              assert(other.rests == 7)
            end
            return other
          end
          """
      ) {
        let isSame = mayfly.same(mayfly) === mayfly
        #expect(isSame)
        expectEqual(faults(), [])
      }
    }

    @Test func `fields outlive the proxy, and nil is a value of theirs`() throws {
      let mayfly = Mayfly(name: "kept")
      try withPatch(
        fields + """

          M:field("colour", "grey")
          function M:rest() self.rests = self.rests + 1 self.colour = nil return self.rests end
          function M:swarm() return self.colour == nil and self.rests or -1 end
          """
      ) {
        expectEqual(mayfly.rest(), 1)
        for n in 2..<50 {
          #expect(held()?.objects["Bank.Mayfly"] == nil)  // the proxy is gone
          expectEqual(mayfly.rest(), n)
        }
        expectEqual(mayfly.swarm(), 49)
        expectEqual(Mayfly(name: "other").swarm(), -1)
        expectEqual(faults(), [])
      }
    }

    @Test func `fields that two patches give to one object die with it`() throws {
      let accounts = Census.accounts.alive
      let text = """
        local M, Account = class "Bank.Mayfly", class "Bank.Account"
        M:field("friend")
        function M:rest()
          self.friend = self.friend or Account{owner = "Ada"}
          return original(self)
        end
        """
      try withPatch(text) {
        let session = try WaxwingEngine.start(text: text, name: "second")
        for n in 0..<200 { _ = Mayfly(name: "\(n)").rest() }
        for _ in 0..<2 { _ = try WaxwingEngine.liveObjects(collecting: true) }
        expectEqual(Census.accounts.alive, accounts)
        expectEqual(faults(), [])
        try WaxwingEngine.end(session)
      }
      expectEqual(Census.accounts.alive, accounts)
    }

    @Test func `an object at the address of a dead one does not inherit its fields`() throws {
      var addresses: Set<UInt> = []
      var isReused = false
      try withPatch(
        fields + "\nfunction M:rest() self.rests = self.rests + 1 return self.rests end"
      ) {
        for _ in 0..<20_000 {
          let mayfly = Mayfly(name: "short-lived")
          let address = UInt(bitPattern: Unmanaged.passUnretained(mayfly).toOpaque())
          if !addresses.insert(address).inserted { isReused = true }
          guard mayfly.rest() == 1, mayfly.rest() == 2 else {
            Issue.record("fields were inherited")
            break
          }
        }
        expectEqual(faults(), [])
      }
      #expect(isReused)
      // Memory of the dead is given back: not every object had an address of its own.
      #expect(addresses.count < 10_000)
    }

    @Test func `the fields of dead objects are dropped soon`() throws {
      let alive = Mayfly.alive
      try withPatch(
        fields + """

          function M:same(other) self.friend = other return nil end
          """
      ) {
        for _ in 0..<20_000 { _ = Mayfly(name: "a").same(Mayfly(name: "b")) }
        #expect(Mayfly.alive < alive + 10_000)
        expectEqual(held()?.objects, [:])
        expectEqual(Mayfly.alive, alive)
        expectEqual(faults(), [])
      }
    }

    @Test func `a field that holds its own object does not keep it`() throws {
      let alive = Mayfly.alive
      for value in ["self", "weak(self)"] {
        try withPatch(fields + "\nfunction M:rest() self.friend = \(value) return 1 end") {
          _ = Mayfly(name: "selfish").rest()
          expectEqual(held()?.objects, [:])
          expectEqual(Mayfly.alive, alive)
        }
      }
    }

    @Test func `a deinitializer sees the fields of its object`() throws {
      Swan.songs.withLock { $0 = [] }
      try withPatch(
        """
        local S = class "Bank.Swan"
        S:field("swims", 0)
        function S:swim() self.swims = self.swims + 1 return self:ORIGswim() end
        function S:sing() return self.name .. " swam " .. self.swims end
        """
      ) {
        for n in 0..<200 {
          let swan = Swan(name: "swan \(n)")
          for _ in 0..<(n % 4) { _ = swan.swim() }
        }
        _ = held()
        expectEqual(faults(), [])
      }
      #expect(
        Swan.songs.withLock { $0.sorted() }
          == (0..<200).map { "swan \($0) swam \($0 % 4)" }.sorted())
    }

    @Test func `the sessions do not see each other's fields, and nothing is left of them`() throws {
      let mayfly = Mayfly(name: "shared")
      let patch =
        fields + "\nfunction M:NAME() self.rests = self.rests + STEP return self.rests end"
      func text(_ name: String, _ step: Int) -> String {
        patch.replacing("NAME", with: name).replacing("STEP", with: "\(step)")
      }
      try withPatch(text("rest", 1)) {
        let second = try WaxwingEngine.start(text: text("swarm", 10), name: "second")
        expectEqual(
          [mayfly.rest(), mayfly.swarm(), mayfly.rest(), mayfly.swarm()], [1, 10, 2, 20])
        let restoration = try WaxwingEngine.end(second)
        #expect(restoration.isComplete)
        expectEqual(mayfly.rest(), 3)
      }
      try withPatch(text("rest", 1)) { expectEqual(mayfly.rest(), 1) }
    }

    @Test(arguments: [
      ("M:field('name', '')", "Bank.Mayfly has a Swift member `name`"),
      ("M:field('rest', 0)", "Bank.Mayfly has a Swift member `rest`"),
      ("class'Bank.BigMayfly':field('name', 0)", "has a Swift member `name`"),
      ("M:field('a', {})", "all objects would share the table that `a` has as default"),
      ("M:field('a b', 0)", "the name of a field is a word"),
      ("M:field(7, 0)", "a Swift name is a string, not a number"),
      ("M:field('ORIGa', 0)", "`ORIGa` cannot be a field"),
      ("M:field('a', 0) M:field('a', 1)", "the field `a` is declared already, for Bank.Mayfly"),
      (
        "M:field('a', 0) class'Bank.BigMayfly':field('a', 1)",
        "the field `a` is declared already, for Bank.Mayfly"
      ),
      (
        "class'Bank.BigMayfly':field('a', 0) M:field('a', 1)",
        "the field `a` is declared already, for Bank.BigMayfly"
      ),
      ("class'Bank.Cocoon':field('a', 0)", "Bank.Cocoon is not a class: its values are copies"),
    ])
    func `a field that cannot be is refused`(declaration: String, reason: String) {
      let message = refusal("local M = class 'Bank.Mayfly'\n\(declaration)")
      #expect(message.hasPrefix("refused.lua:2: "))
      #expect(message.contains(reason), "\(message)")
    }

    @Test func `a field that is not declared is an error with a suggestion`() throws {
      try withPatch(
        fields + """

          class "Bank.BigMayfly"
          M:field("weight", 0)
          function M:rest() return self.rest_s end
          function M:swarm() self.rets = 1 return 0 end
          function M:meet(other) return tostring(other.weight) end
          """
      ) {
        let mayfly = Mayfly(name: "a")
        _ = (mayfly.rest(), mayfly.swarm())
        expectEqual(mayfly.meet(mayfly), "0")
        expectEqual(mayfly.meet(BigMayfly(name: "b")), "a meets b")
        let found = faults()
        #expect(found[0].contains("Bank.Mayfly has no member `rest_s`; did you mean `rest"))
        #expect(found[1].contains("Bank.Mayfly has no property `rets` that can be set"))
        #expect(found[1].contains("did you mean `rests`"))
        #expect(found[2].contains("a Swift member of Bank.BigMayfly; give the field another name"))
      }
    }
  }
}
