// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Overrides run where the function that they stand in for does. The fixture's functions end the
  /// program if they are called elsewhere.
  @Suite struct ActorTests {
    @Test func `methods of an actor run on it, before, between and after waits`() async throws {
      let ledger = AsyncLedger(total: 10)
      func check(_ extra: Int) async throws {
        let start = await ledger.total
        await expectEqual(ledger.add(1), start + 1 + extra)
        await expectEqual(ledger.post(2, memo: "m"), start + 3 + 2 * extra)
        await expectEqual(ledger.settle(3), start + 6 + 3 * extra)
        try await expectEqual(ledger.pay(1), start + 5 + 4 * extra)
        await expectEqual(ledger.audit(1).a, start + 6 + 4 * extra)
        await #expect(throws: BankError.insufficient(1_000_000)) {
          try await ledger.pay(1_000_000)
        }
      }
      try await check(0)
      try await withAsyncPatch(
        """
        local L = class "Bank.AsyncLedger"
        local W = class "Bank.AsyncWaits"
        local waits = W()
        function L:add(n) return self:ORIGadd(n) + 1 - 1 end
        function L:post(n, memo)
          waits:rest(1)
          self:add(0)
          return self:ORIGpost(n, memo)
        end
        function L:settle(n)
          sleep(0.001)
          self:add(0)
          local left = self:ORIGsettle(n)
          self:add(0)
          return left
        end
        function L:pay(n) self:add(0); return self:ORIGpay(n) end
        function L:audit(n)
          all{ function() sleep(0.001); self:add(0) end, function() self:add(0) end }
          return self:ORIGaudit(n)
        end
        """
      ) {
        try await check(0)
        expectEqual(faults(), [])
      }
      try await check(0)
    }

    @Test func `functions of the main actor and of the program's own run there`() async throws {
      func check() async throws {
        await expectEqual(asyncMainSum(1, 2), 3)
        await expectEqual(asyncVaultSum(3, 4), 7)
        let window = await AsyncWindow()
        await expectEqual(window.load(3), "untitled 3")
        try await expectEqual(window.save(2), WideRecord(2))
        await expectEqual(AsyncSafe(empty: true).count(5), 5)
      }
      try await check()
      try await withAsyncPatch(
        """
        local Bank = module "Bank"
        function Bank.asyncMainSum(a, b)
          local window = class("Bank.AsyncWindow")(true)
          window:rename("x")
          sleep(0.001)
          window:rename("y")
          return Bank.ORIGasyncMainSum(a, b)
        end
        function Bank.asyncVaultSum(a, b)
          local safe = class("Bank.AsyncSafe")(true)
          safe:put(1)
          sleep(0.001)
          safe:put(1)
          return Bank.ORIGasyncVaultSum(a, b)
        end
        local W = class "Bank.AsyncWindow"
        function W:load(n) sleep(0.001); self:rename("untitled"); return self:ORIGload(n) end
        function W:save(n) self:rename("untitled"); return self:ORIGsave(n) end
        local S = class "Bank.AsyncSafe"
        function S:count(n) sleep(0.001); self:put(0); return self:ORIGcount(n) end
        """
      ) {
        try await check()
        expectEqual(faults(), [])
      }
      try await check()
    }

    @Test func `an actor is called from outside by going to it`() async throws {
      let waits = AsyncWaits()
      try await withAsyncPatch(
        """
        local W = class "Bank.AsyncWaits"
        local L = class "Bank.AsyncLedger"
        function W:ready(n)
          local ledger = L(n)
          local sum = ledger:add(1) + ledger:settle(2)
          local ok, err = pcall(ledger.take, ledger, 1000)
          assert(not ok and err.value.case == "insufficient", tostring(err))
          return sum + ledger.total
        end
        function W:note(text)
          local ok, err = pcall(function() return L(1):add(1) end)
          assert(not ok and err:find("actor") and err:find("task%(function"), tostring(err))
        end
        """
      ) {
        await expectEqual(waits.ready(5), 6 + 8 + 8)
        waits.note("x")
        expectEqual(faults(), [])
      }
    }

    @Test func `an actor lets others in while an override of its method waits`() async throws {
      let ledger = AsyncLedger()
      let gate = AsyncGate()
      try await withAsyncPatch(
        """
        local L = class "Bank.AsyncLedger"
        function L:overlaps(gate) sleep(0); return self:ORIGoverlaps(gate) end
        """
      ) {
        let inside = await withTaskGroup(of: Int.self) { group in
          for _ in 0..<10 { group.addTask { await ledger.overlaps(gate) } }
          await expectEventually(gate.waiting, 10)
          gate.open()
          return await group.reduce(into: 0) { $0 = max($0, $1) }
        }
        expectEqual(inside, 10)
        expectEqual(faults(), [])
      }
    }

    @Test func `task-local values, priority and the caller's actor stay`() async throws {
      func check() async {
        await AsyncContext.$label.withValue("here") {
          await expectEqual(AsyncContext.current(), "here 0")
        }
        let priority = await Task(priority: .low) { await AsyncContext.priority() }.value
        #expect(priority >= Int(TaskPriority.low.rawValue))
        await expectEqual(asyncNearby(1), 2)
        await expectEqual(asyncOn(AsyncLedger(total: 1), 2), 3)
        await expectEqual(asyncFarAway(1), 3)
      }
      await check()
      try await withAsyncPatch(
        """
        local C = class "Bank.AsyncContext"
        local Bank = module "Bank"
        local function text() return C.currentAtOnce() end
        C.static.current = function(self)
          local before = text()
          sleep(0.001)
          assert(before == text())
          local inTask = task(text):wait()
          assert(inTask == before, inTask)
          return self:ORIGcurrent()
        end
        C.static.priority = function(self) sleep(0.001); return self:ORIGpriority() end
        function Bank.asyncNearby(n) sleep(0.001); return Bank.ORIGasyncNearby(n) end
        function Bank.asyncFarAway(n) sleep(0.001); return Bank.ORIGasyncFarAway(n) end
        function Bank.asyncOn(ledger, n)
          ledger:add(0)
          sleep(0.001)
          ledger:add(0)
          return Bank.ORIGasyncOn(ledger, n)
        end
        """
      ) {
        await check()
        expectEqual(faults(), [])
      }
      await check()
    }
  }
}
