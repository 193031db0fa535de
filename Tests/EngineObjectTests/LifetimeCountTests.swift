// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// What Lua holds, how soon it lets go, and what is left.
  @Suite struct LifetimeCountTests {
    private var alive: Int { Mayfly.alive }

    @Test func `a patched method creates and drops 1,000 objects, and the count returns`()
      throws
    {
      let mayfly = Mayfly(name: "maker")
      let before = alive
      try withPatch(
        """
        local M = class "Bank.Mayfly"
        held = {}
        function M:rest()
          for i = 1, 1000 do M.static:hatch("new " .. i) end
          return 1
        end
        function M:swarm()
          for i = 1, 10 do held[i] = M.static:hatchBig("kept") end
          return objects()["Bank.BigMayfly"]
        end
        """
      ) {
        expectEqual(mayfly.rest(), 1)
        expectEqual(held()?.objects, [:])
        expectEqual(alive, before)
        expectEqual(mayfly.swarm(), 10)
        let held = try WaxwingEngine.liveObjects()
        let total = LiveObjects.total(held + held)
        expectEqual(held.first?.patch, "test")
        expectEqual(held.first?.objects, ["Bank.BigMayfly": 10])
        expectEqual(total, ["Bank.BigMayfly": 20])
        expectEqual(mayfly.rest(), 1)
        expectEqual(mayfly.swarm(), 10)
        expectEqual(faults(), [])
      }
      #expect(held()?.patch == nil)
      expectEqual(alive, before)
    }

    @Test func `values and errors are counted too`() throws {
      let keeper = Keeper()
      try withPatch(
        """
        local K = class "Bank.Keeper"
        kept = {}
        function K:open(c) kept[#kept + 1] = c return c end
        function K:fail(n) kept[#kept + 1] = select(2, pcall(self.ORIGfail, self, n)) return n end
        """
      ) {
        for n in 0..<5 { _ = keeper.open(Cocoon(size: n, content: Mayfly(name: "in it"))) }
        let failed = try keeper.fail(3)
        expectEqual(failed, 3)
        let held = held()
        expectEqual(held?.values, ["Bank.Cocoon": 5])
        expectEqual(held?.errors, 1)
        expectEqual(held?.objects, [:])
        expectEqual(faults(), [])
      }
    }

    @Test func `what Lua drops dies within a few thousand calls`() throws {
      let mayfly = Mayfly(name: "maker")
      try withPatch(
        """
        patch { limits = { instructions = 20000000, milliseconds = 2000 } }
        local M = class "Bank.Mayfly"
        function M:rest()
          for i = 1, 100000 do
            local made = M.static:hatch("one of many")
            assert(made.name == "one of many")
          end
          return 1
        end
        """
      ) {
        Mayfly.startRecord(after: mayfly.number)
        expectEqual(mayfly.rest(), 1)
        expectEqual(faults(), [])
        let record = Mayfly.record.withLock { $0 }
        #expect(record.made >= 100_000)
        #expect(record.greatestLag < 3000)
        #expect(record.totalLag / max(record.died, 1) < 2000)
      }
    }

    @Test func `a script with much memory of its own lets go as well`() throws {
      let mayfly = Mayfly(name: "maker")
      try withPatch(
        """
        patch { limits = { instructions = 20000000, milliseconds = 2000 } }
        local M = class "Bank.Mayfly"
        ballast = {}
        for i = 1, 20000 do ballast[i] = { i, tostring(i) } end
        function M:rest()
          for i = 1, 50000 do M.static:hatch("one of many") end
          return 1
        end
        """
      ) {
        Mayfly.startRecord(after: mayfly.number)
        expectEqual(mayfly.rest(), 1)
        expectEqual(faults(), [])
        let record = Mayfly.record.withLock { $0 }
        #expect(record.greatestLag < 15_000)
      }
    }

    @Test func `an object that Swift holds too stays alive until Swift lets it go`() throws {
      let keeper = Keeper()
      let before = alive
      try withPatch(
        """
        local K = class "Bank.Keeper"
        local mine
        function K:echo(m) mine = m self.kept = m return m end
        function K:ask() mine = nil return "dropped" end
        """
      ) {
        do { _ = keeper.echo(Mayfly(name: "both")) }
        expectEqual(held()?.objects, ["Bank.Mayfly": 1])
        expectEqual(keeper.ask(), "dropped")
        expectEqual(held()?.objects, [:])
        expectEqual(keeper.kept?.name, "both")
        expectEqual(alive, before + 1)
        keeper.kept = nil
        expectEqual(alive, before)
        expectEqual(faults(), [])
      }
    }

    @Test func `objects die once, whichever thread lets them go`() throws {
      Swan.songs.withLock { $0 = [] }
      try withPatch(
        """
        local S = class "Bank.Swan"
        S:field("n", 0)
        local last
        function S:swim() self.n = self.n + 1 last = weak(self) return self:ORIGswim() end
        function S:sing() return self.name .. ":" .. self.n .. tostring(last and last.object == self) end
        """
      ) {
        onThreads(4) { thread in
          for n in 0..<500 {
            let swan = Swan(name: "\(thread).\(n)")
            _ = swan.swim()
            if n % 2 == 0 { _ = swan.swim() }
          }
        }
        _ = held()
        expectEqual(faults(), [])
      }
      let songs = Swan.songs.withLock { $0 }
      let expected = (0..<4).flatMap { thread in
        (0..<500).map { "\(thread).\($0):\($0 % 2 == 0 ? 2 : 1)false" }
      }
      expectEqual(songs.sorted(), expected.sorted())
    }
  }
}
