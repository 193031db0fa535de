// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// `weak(object)`.
  @Suite struct LifetimeWeakTests {
    @Test func `a weak reference gives its object while that lives, and nil after`() throws {
      let alive = Mayfly.alive
      try withPatch(
        """
        local M = class "Bank.Mayfly"
        local last
        function M:rest()
          last = weak(self)
          assert(last.object == self and last == weak(self) and weak(last) == last)
          return last.object.number
        end
        function M:swarm()
          if last.object == nil then return -1 end
          return last.object.number
        end
        function M:meet(other) return tostring(last) end
        """
      ) {
        let witness = Mayfly(name: "witness")
        do {
          let mayfly = Mayfly(name: "watched")
          expectEqual(mayfly.rest(), mayfly.number)
          _ = held()  // its proxy is gone
          expectEqual(witness.swarm(), mayfly.number)
          #expect(witness.meet(witness).hasPrefix("weak(Bank.Mayfly"))
        }
        _ = held()
        expectEqual(Mayfly.alive, alive + 1)
        expectEqual(witness.swarm(), -1)
        expectEqual(witness.meet(witness), "weak(nil)")
        expectEqual(faults(), [])
      }
      expectEqual(Mayfly.alive, alive)
    }

    @Test func `a weak reference to an object that is being deinitialized is empty`() throws {
      Swan.songs.withLock { $0 = [] }
      try withPatch(
        """
        local S = class "Bank.Swan"
        local earlier
        function S:swim() earlier = weak(self) return "swims" end
        function S:sing() return tostring(weak(self).object) .. tostring(earlier.object) end
        """
      ) {
        do { _ = Swan(name: "a").swim() }
        _ = held()
        expectEqual(faults(), [])
      }
      expectEqual(Swan.songs.withLock { $0 }, ["nilnil"])
    }

    @Test func `a thousand weak references to one object, and one to each of a thousand`() throws {
      let alive = Mayfly.alive
      try withPatch(
        """
        local M = class "Bank.Mayfly"
        local all = {}
        function M:rest() all[#all + 1] = weak(self) return #all end
        function M:swarm()
          local n = 0
          for _, w in ipairs(all) do if w.object then n = n + 1 end end
          return n
        end
        """
      ) {
        let one = Mayfly(name: "one")
        for _ in 0..<1000 { _ = one.rest() }
        for _ in 0..<1000 { _ = Mayfly(name: "many").rest() }
        _ = held()
        expectEqual(one.swarm(), 1000)
        expectEqual(Mayfly.alive, alive + 1)
        expectEqual(faults(), [])
      }
    }

    @Test func `what is no object has no weak reference, and one cannot stand for its object`()
      throws
    {
      try withPatch(
        """
        local K = class "Bank.Keeper"
        function K:echo(m) return weak(m) end
        function K:open(c) return weak(c) end
        function K:ask() return weak(nil) end
        local M = class "Bank.Mayfly"
        function M:meet(other) return weak(self).name end
        function M:rest() weak(self).name = "x" return 1 end
        """
      ) {
        let keeper = Keeper()
        let mayfly = Mayfly(name: "m")
        let isSame = keeper.echo(mayfly) === mayfly
        #expect(isSame)
        _ = keeper.open(Cocoon(size: 1, content: mayfly))
        _ = (keeper.ask(), mayfly.meet(mayfly), mayfly.rest())
        let found = faults()
        #expect(found[0].hasSuffix("got a weak reference (its object is `.object`)"))
        #expect(found[1].contains("weak takes an object"))
        #expect(found[2].hasSuffix("weak takes an object, an instance of a class; this is nil"))
        #expect(found[3].hasSuffix("ask that for `name`"))
        #expect(found[4].hasSuffix("set the property on its `object`"))
      }
    }
  }
}
