// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// What becomes of an override that fails again and again.
  @Suite struct BreakerTests {
    private let account = Account(id: 1, owner: "Ada")

    @Test func `five errors in a minute switch an override off, others stay`() throws {
      let original = account.describe()
      let events = LogLines()
      try withPatch(
        """
        local A = class "Bank.Account"
        calls = 0
        function A:describe() calls = calls + 1 error("broken " .. calls) end
        function A.get:title() return "patched" end
        """
      ) {
        WaxwingEngine.setLogHandler { events.add($0.event) }
        for _ in 0..<50 { expectEqual(account.describe(), original) }
        WaxwingEngine.setLogHandler { _ in }
        let overrides = try #require(patches().first?.overrides)
        #expect(overrides[0].errors == 5 && overrides[0].calls == 5)
        expectEqual(overrides[0].switchedOff, "5 errors in 60 seconds")
        #expect(overrides[1].switchedOff == nil)
        expectEqual(account.title, "patched")
        expectEqual(events.all.filter { $0 == "override.failed" }.count, 5)
        expectEqual(events.all.filter { $0 == "override.switched_off" }.count, 1)
      }
      expectEqual(account.describe(), original)
    }

    @Test func `an older patch's override is in force again where a newer one is off`() throws {
      try withPatch("local A = class 'Bank.Account' function A:describe() return 'older' end") {
        let newer = try WaxwingEngine.start(
          text: "local A = class 'Bank.Account' function A:describe() local x = nil + 1 end",
          name: "newer")
        WaxwingEngine.setLogHandler { _ in }
        for _ in 0..<10 { expectEqual(account.describe(), "older") }
        #expect(patches().dropFirst().first?.overrides.first?.switchedOff != nil)
        try WaxwingEngine.end(newer)
        expectEqual(account.describe(), "older")
      }
    }

    @Test func `an error that the function throws is none`() throws {
      let throwing = Thrower()
      try withPatch(
        "local T = class 'Bank.Thrower' function T:attempt(n) error('no ' .. n) end"
      ) {
        for n in 0..<20 { #expect(throws: (any Error).self) { try throwing.attempt(n) } }
        let override = try #require(patches().first?.overrides.first)
        #expect(override.calls == 20 && override.switchedOff == nil)
      }
    }

    @Test func `with inout, throws and advice the original answers from then on`() throws {
      let thrower = Thrower()
      try withPatch(
        """
        local T = class "Bank.Thrower"
        function T:attempt(n) return nil + n end
        function T:grow(n) n = nil + n end
        T:before("shrink", function() error("advice") end)
        """
      ) {
        WaxwingEngine.setLogHandler { _ in }
        for n in 0..<10 {
          let attempted = try thrower.attempt(n)
          expectEqual(attempted, n)
          var number = n
          thrower.grow(&number)
          expectEqual(number, n + 1)
          expectEqual(thrower.shrink(n), n - 1)
        }
        expectEqual(
          patches().flatMap(\.overrides).map { $0.switchedOff != nil }, [true, true, true])
      }
    }

    @Test func `of an async function`() async throws {
      let waits = AsyncWaits()
      try await withAsyncPatch(
        "local W = class 'Bank.AsyncWaits' function W:ready(n) sleep(0) return nil + n end"
      ) {
        WaxwingEngine.setLogHandler { _ in }
        for _ in 0..<10 { await expectEqual(waits.ready(10), 11) }
        let override = try #require(patches().first?.overrides.first)
        #expect(override.calls == 5 && override.switchedOff != nil)
      }
    }

    @Test func `a better version starts afresh`() throws {
      WaxwingEngine.setLogHandler { _ in }
      let head = "local A = class 'Bank.Account' function A:describe() return "
      try WaxwingEngine.apply(texts: [(head + "nil + 1 end", "test")])
      for _ in 0..<10 { _ = account.describe() }
      #expect(patches().first?.overrides.first?.switchedOff != nil)
      try WaxwingEngine.apply(texts: [(head + "'better' end", "test")])
      expectEqual(account.describe(), "better")
      expectEqual(patches().first?.overrides.first.map { $0.switchedOff ?? "on" }, "on")
      #expect(try WaxwingEngine.restore().isComplete)
    }
  }
}
