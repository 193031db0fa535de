// SPDX-License-Identifier: MIT

import Bank
import Foundation
import HeapProbe
import Testing
import Waxwing

extension EngineSuite {
  /// The leak gate: patches that use everything are applied and restored many times.
  @Suite struct LeakTests {
    /// `scripts/leaks` asks for 1,000.
    private static let cycles =
      ProcessInfo.processInfo.environment["WAXWING_LEAK_CYCLES"].flatMap(Int.init) ?? 200

    /// Objects, fields, weak references, structs, strings, errors, a fault, an initializer.
    private let patch = """
      local M, K = class "Bank.Mayfly", class "Bank.Keeper"
      M:field("seen", function() return {} end)
      M:field("last")
      function M:rest()
        self.seen[#self.seen + 1] = self.name .. " and a text that is long enough"
        self.last = weak(self)
        self.other = self.last.object.other
        return self:ORIGrest() + #self.seen
      end
      function M:meet(other)
        self.last, other.last = other, self.last
        return self:ORIGmeet(other) .. ", with a text that is long enough"
      end
      function M:same(other) return other or M.static:hatch("made in Lua") end
      function M:swarm() return self.nothing.at.all end
      function K:open(cocoon)
        cocoon.size = cocoon.size + 1
        cocoon.content = M.static:hatchBig("in a cocoon")
        return cocoon
      end
      function K:fail(n)
        local ok, reason = pcall(self.ORIGfail, self, n)
        if n % 2 == 0 then throw(reason) end
        return ok and 1 or 0
      end
      local A = class "Bank.Account"
      function A:init_id_owner(id, owner) self:ORIGinit_id_owner(id, owner .. ", patched") end
      """

    private func use(_ number: Int) {
      let mayfly = Mayfly(name: "a name that is long enough \(number)")
      let big = BigMayfly(name: "a name that is long enough as well \(number)")
      #expect(mayfly.rest() == mayfly.number + 1)
      #expect(mayfly.rest() == mayfly.number + 2)
      #expect(big.rest() == big.number + 1001)
      #expect(mayfly.meet(big).hasSuffix("with a text that is long enough"))
      #expect(mayfly.same(nil)?.name == "made in Lua")
      let isSame = mayfly.same(big) === big
      #expect(isSame)
      #expect(mayfly.swarm() == 0)
      let keeper = Keeper()
      let cocoon = keeper.open(Cocoon(size: number, content: mayfly))
      #expect(cocoon.size == number + 1)
      #expect(cocoon.content is BigMayfly)
      #expect((try? keeper.fail(number * 2)) == nil)
      #expect((try? keeper.fail(number * 2 + 1)) == 0)
      #expect(Account(id: number, owner: "Ada").owner == "Ada, patched")
    }

    private func cycle(_ number: Int) throws {
      try withPatch(patch) { use(number) }
    }

      @Test func `68, 223: applying, using and restoring leaves nothing behind`() throws {
      let (mayflies, accounts) = (Mayfly.alive, Census.accounts.alive)
      for number in 0..<50 { try cycle(number) }
      let before = heap_probe_bytes()
      for number in 0..<Self.cycles {
        try cycle(number)
        #expect(Mayfly.alive == mayflies)
        #expect(Census.accounts.alive == accounts)
      }
      let grown = Int(heap_probe_bytes()) - Int(before)
      let words = "\(grown) bytes more after \(Self.cycles) cycles"
      #expect(grown < 64 << 10, "\(words)")
      #expect(patches().isEmpty)
      let restoration = try WaxwingEngine.restore()
      #expect(restoration.isComplete)
    }
  }
}
