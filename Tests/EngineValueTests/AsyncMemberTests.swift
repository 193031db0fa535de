// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Async members of every kind.
  @Suite struct AsyncMemberTests {
    private func checkProperties(_ extra: Int) async throws {
      let board = AsyncGaugeBoard(base: 10)
      await expectEqual(board.level, 11 + extra)
      try await expectEqual(board.pressure, 5)
      await #expect(throws: BankError.insufficient(-1)) {
        try await AsyncGaugeBoard(base: -1).pressure
      }
      await expectEqual(board.summary.a, 10 + extra)
      await expectEqual(AsyncGaugeBoard.standard, 42 + extra)
      await #expect(throws: BankError.closed) { try await AsyncGaugeBoard.broken }
      await expectEqual(board[3], "10:3")
      try await expectEqual(board[checked: 4], 14)
      await #expect(throws: BankError.insufficient(-4)) { try await board[checked: -4] }
      await expectEqual(AsyncDial(turns: 2).angle, 720 + extra)
      try await expectEqual(AsyncDial(turns: 2).limit, 7)
      await #expect(throws: BankError.closed) { try await AsyncDial(turns: 10).limit }
      let tank = AsyncTank(volume: 5)
      await expectEqual(tank.settled, 6 + extra)
      try await expectEqual(tank.checked, 5)
      await expectEqual(tank.label, "tank")
    }

    @Test func `properties and subscripts`() async throws {
      try await checkProperties(0)
      try await withAsyncPatch(
        """
        local B, D, T = class "Bank.AsyncGaugeBoard", class "Bank.AsyncDial", class "Bank.AsyncTank"
        function B.get:level() sleep(0.001); return self:ORIGlevel() + 1 end
        function B.get:pressure() return self:ORIGpressure() end
        function B.get:summary()
          local record = self:ORIGsummary()
          record.a = record.a + 1
          return record
        end
        B.static.get.standard = function(self) return B.static.get.ORIGstandard(self) + 1 end
        B.static.get.broken = function(self) return B.static.get.ORIGbroken(self) end
        B.get["subscript(_:)"] = function(self, i) return B.get["ORIGsubscript(_:)"](self, i) end
        B.get["subscript(checked:)"] = function(self, i)
          return B.get["ORIGsubscript(checked:)"](self, i)
        end
        function D.get:angle() return self:ORIGangle() + 1 end
        function D.get:limit() return self:ORIGlimit() end
        function T.get:settled() sleep(0.001); return self:ORIGsettled() + 1 end
        function T.get:checked() return self:ORIGchecked() end
        function T.get:label() return self:ORIGlabel() end
        """
      ) {
        try await checkProperties(1)
        expectEqual(faults(), [])
      }
      try await checkProperties(0)
    }

    @Test func `properties are read by waiting for them`() async throws {
      let waits = AsyncWaits()
      try await withAsyncPatch(
        """
        local W = class "Bank.AsyncWaits"
        function W:ready(n)
          local board = class("Bank.AsyncGaugeBoard")(n)
          assert(board.pressure == n / 2)
          local ok, err = pcall(function() return class("Bank.AsyncGaugeBoard")(-1).pressure end)
          assert(not ok and err.value.case == "insufficient", tostring(err))
          local tank = class("Bank.AsyncTank")(5)
          assert(tank.volume == 5 and tank.doubled == 10 and tank.settled == 6)
          return board.level + class("Bank.AsyncDial")(1).angle
        end
        """
      ) {
        await expectEqual(waits.ready(4), 5 + 360)
        expectEqual(faults(), [])
      }
    }

    private func checkMaking() async throws {
      await expectEqual(AsyncMaker.machine(3), 3)
      await expectEqual(AsyncMaker.engine(3), 1003)
      try await expectEqual(AsyncMaker.checked(3), 3)
      await #expect(throws: BankError.insufficient(-3)) { try await AsyncMaker.checked(-3) }
      await expectEqual(AsyncMaker.reading(3).value, 3)
      await expectEqual(AsyncMaker.plant(3), 4)
    }

    @Test func `initializers`() async throws {
      let before = AsyncParcel.census.alive
      try await checkMaking()
      try await withAsyncPatch(
        """
        local M, R, P = class "Bank.AsyncMachine", class "Bank.AsyncReading", class "Bank.AsyncPlant"
        M["init(power:)"] = function(self, n) sleep(0.001); self["ORIGinit(power:)"](self, n) end
        M["init(checked:)"] = function(self, n) self["ORIGinit(checked:)"](self, n) end
        R["init(value:)"] = function(self, n) sleep(0.001); self["ORIGinit(value:)"](self, n) end
        P["init(output:)"] = function(self, n) self["ORIGinit(output:)"](self, n) end
        """
      ) {
        try await checkMaking()
        expectEqual(faults(), [])
      }
      try await checkMaking()
      expectEqual(AsyncParcel.census.alive, before)
    }

    private func checkDispatch(_ mark: String) async throws {
      await expectEqual(AsyncCounter.serve(AsyncCashier(), 1), "cashier 1" + mark)
      try await expectEqual(AsyncCounter.price(AsyncCashier(), 2), 4)
      await #expect(throws: BankError.insufficient(-2)) {
        try await AsyncCounter.price(AsyncCashier(), -2)
      }
      await expectEqual(AsyncCounter.grade(AsyncCashier()), "first" + mark)
      await expectEqual(AsyncCounter.serve(AsyncTerminal(name: "T"), 3), "T 3" + mark)
      await expectEqual(AsyncCounter.serve(AsyncVaultKeeper(), 4), "keeper 4 of 1" + mark)
      await expectEqual(AsyncCounter.generic(AsyncCashier(), 5), "cashier 5\(mark) first" + mark)
      await expectEqual(AsyncCounter.hire(AsyncCashier.self), "cashiers 3" + mark)
      await expectEqual(AsyncHurdler().run(6), "hurdler+sprinter+runner 6\(mark)" + mark)
      try await expectEqual(AsyncSprinter().rest(3), 6)
      await expectEqual(AsyncSprinter().pace, 3)
    }

    @Test func `implementations of protocols' requirements, and inherited methods`() async throws {
      try await checkDispatch("")
      try await withAsyncPatch(
        """
        for _, name in ipairs{ "AsyncCashier", "AsyncTerminal", "AsyncVaultKeeper" } do
          local C = class("Bank." .. name)
          function C:serve(n) sleep(0.001); return self:ORIGserve(n) .. "!" end
        end
        local C = class "Bank.AsyncCashier"
        function C:price(n) sleep(0.001); return self:ORIGprice(n) end
        function C.get:grade() return self:ORIGgrade() .. "!" end
        C.static.hire = function(self, n) return self:ORIGhire(n) .. "!" end
        local R, H = class "Bank.AsyncRunner", class "Bank.AsyncHurdler"
        function R:run(n) sleep(0.001); return self:ORIGrun(n) .. "!" end
        function H:run(n) sleep(0.001); return self:ORIGrun(n) .. "!" end
        function R:rest(n) return self:ORIGrest(n) end
        """
      ) {
        try await checkDispatch("!")
        expectEqual(faults(), [])
      }
      try await checkDispatch("")
    }

    @Test func `methods of structs, enums and generic types, mutating ones too`() async throws {
      func check(_ extra: Int) async throws {
        var quad = AsyncQuad(1, 2, 3, 4)
        await expectEqual(quad.sum(1), 11 + extra)
        #expect(await quad.shift(by: 5) == 6 && quad.a == 6)
        try await quad.drain(6)
        expectEqual(quad.b, 8)
        await expectEqual(AsyncQuad.square(2), AsyncQuad(2, 2, 2, 2))
        await expectEqual(AsyncSignal.say("a").told(), "say a")
        let shelf = AsyncShelf<String>()
        await expectEqual(shelf.swap("x"), "x")
        await expectEqual(asyncLargest(2, 3), 3)
      }
      try await check(0)
      try await withAsyncPatch(
        """
        local Q, S = class "Bank.AsyncQuad", class "Bank.AsyncSignal"
        function Q:sum(n) sleep(0.001); return self:ORIGsum(n) + 1 end
        function Q:shift(n) sleep(0.001); return self:ORIGshift(n) end
        function Q:drain(n) sleep(0.001); return self:ORIGdrain(n) end
        Q.static.square = function(self, n) return self:ORIGsquare(n) end
        function S:told() sleep(0.001); return self:ORIGtold() end
        local Shelf = class "Bank.AsyncShelf"
        function Shelf:swap(x) sleep(0.001); return self:ORIGswap(x) end
        local Bank = module "Bank"
        function Bank.asyncLargest(a, b) return Bank.ORIGasyncLargest(b, a) end
        """
      ) {
        try await check(1)
        expectEqual(faults(), [])
      }
      try await check(0)
    }

    @Test func `advice stands around what waits`() async throws {
      let waits = AsyncWaits()
      try await withAsyncPatch(
        """
        local W = class "Bank.AsyncWaits"
        W:before("yields(_:)", function(self, n) sleep(0.001); self:note("before " .. n) end)
        W:after("yields(_:)", function(self, r, n) self:note("after " .. r); return r + 1 end)
        W:instead("yields(_:)", function(self, n) self:rest(1); return self:ORIGyields(n) end)
        local t = W:before("ready(_:)", function(self) self:note("once") end, { once = true })
        """
      ) {
        await expectEqual(waits.yields(2), 3)
        expectEqual(waits.notes, ["before 2", "after 2"])
        _ = await waits.ready(1)
        _ = await waits.ready(1)
        expectEqual(waits.notes, ["before 2", "after 2", "once"])
        expectEqual(faults(), [])
      }
    }
  }
}
