// SPDX-License-Identifier: MIT

import Bank
import Dispatch
import EngineTestSupport
import Expectations
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// Overrides that wait, under load, cancelled, and while their session ends.
  @Suite struct AsyncSessionTests {
    private let waits = AsyncWaits()

    @Test func `10,000 calls at once wait in an override`() async throws {
      let gate = AsyncGate()
      let count = 10_000
      try await withAsyncPatch(
        """
        local G = class "Bank.AsyncGate"
        local calls = 0
        function G:pass()
          calls = calls + 1
          local n = self:ORIGpass()
          return n * 2
        end
        """
      ) {
        let sum = await withTaskGroup(of: Int.self) { group in
          for _ in 0..<count { group.addTask { await gate.pass() } }
          await expectEventually(gate.waiting, count)
          expectEqual(patches().map(\.callsInFlight), [count])
          gate.open()
          return await group.reduce(0, +)
        }
        expectEqual(sum, count * (count + 1))
        expectEqual(patches().map(\.callsInFlight), [0])
        expectEqual(patches().flatMap(\.overrides).map(\.calls), [count])
        expectEqual(faults(), [])
      }
    }

    @Test func `an override waits twice, other tasks go on, and cancellation arrives`()
      async throws
    {
      let calls = AsyncCalls()
      let gate = AsyncGate()
      func check(_ extra: Int) async throws {
        await AsyncValues().nothing()
        await expectEqual(AsyncValues().int(4), 4 + extra)
        try await expectEqual(calls.withdraw(30), 70 + extra)
        await #expect(throws: BankError.insufficient(101)) { try await calls.withdraw(101) }
      }
      try await check(0)
      try await withAsyncPatch(
        """
        local V, C = class "Bank.AsyncValues", class "Bank.AsyncCalls"
        local G, W = class "Bank.AsyncGate", class "Bank.AsyncWaits"
        local waits = W()
        function V:nothing() waits:rest(1); waits:rest(1) end
        function V:int(n) waits:rest(1); return waits:yields(2) - 1 + self:ORIGint(n) end
        function C:withdraw(n) waits:rest(1); waits:rest(1); return self:ORIGwithdraw(n) + 1 end
        function G:passUnlessCancelled()
          waits:rest(1)
          return self:ORIGpassUnlessCancelled()
        end
        """
      ) {
        try await check(1)
        let blocked = Task { try await gate.passUnlessCancelled() }
        await expectEventually(gate.waiting, 1)
        try await check(1)
        blocked.cancel()
        await #expect(throws: CancellationError.self) { try await blocked.value }
        expectEqual(faults(), [])
      }
      try await check(0)
    }

    @Test func `a cancelled task raises in Lua at the next wait, and in one that is on`()
      async throws
    {
      try await withAsyncPatch(
        """
        local W = class "Bank.AsyncWaits"
        function W:rest(n)
          local ok, err = pcall(sleep, 60)
          self:note(tostring(ok) .. " " .. tostring(cancelled()))
          ok, err = pcall(sleep, 60)
          self:note(tostring(ok))
          throw(err)
        end
        """
      ) {
        let task = Task { try await waits.rest(1) }
        await letOthersRun(for: .milliseconds(5))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        expectEqual(waits.notes, ["false true", "false"])
        expectEqual(faults(), [])
      }
    }

    @Test func `calls that wait when their session ends go on to the original`() async throws {
      let gate = AsyncGate()
      WaxwingEngine.setLogHandler { _ in }
      let session = try WaxwingEngine.start(
        text: """
          local W = class "Bank.AsyncWaits"
          local gate
          function W:ready(n) sleep(3600); return -1 end
          function W:yields(n) local r = self:ORIGyields(n); sleep(3600); return -r end
          local G = class "Bank.AsyncGate"
          function G:pass() return self:ORIGpass() + 1000 end
          task(function() sleep(3600) end)
          """, name: "waiting")
      async let ready = waits.ready(3)
      async let yielded = waits.yields(4)
      async let passed = gate.pass()
      await expectEventually(gate.waiting, 1)
      await expectEventually(patches().flatMap(\.overrides).map(\.calls), [1, 1, 1])
      await letOthersRun(for: .milliseconds(20))
      let restoration = try await offPool {
        try WaxwingEngine.end(session, waitAtMost: .milliseconds(500))
      }
      expectEqual(restoration.cancelledTasks, 1)
      expectEqual(
        restoration.abandonedCalls,
        [
          "Bank.AsyncGate.pass()", "Bank.AsyncWaits.ready(_:)", "Bank.AsyncWaits.yields(_:)",
        ])
      await expectEqual(ready, 4)
      await expectEqual(yielded, 4)
      // One is inside the original still, and in no patch any more.
      #expect(restoration.isComplete)
      gate.open()
      await expectEqual(passed, 1)
      let last = try WaxwingEngine.restore()
      #expect(last.isComplete)
      #expect(patches().isEmpty)
    }

    @Test func `a call that waits in a loop does not hold up the end of its patch`() async throws {
      WaxwingEngine.setLogHandler { _ in }
      let session = try WaxwingEngine.start(
        text: """
          local W = class "Bank.AsyncWaits"
          function W:ready(n) self:note("waits"); while true do sleep(0.01) end end
          """, name: "looping")
      async let ready = waits.ready(3)
      await waitUntil("a note", seen: waits.notes) { !waits.notes.isEmpty }
      // It would wait for an hour.
      let restoration = try await offPool {
        try WaxwingEngine.end(session, waitAtMost: .seconds(3600))
      }
      expectEqual(restoration.abandonedCalls, ["Bank.AsyncWaits.ready(_:)"])
      #expect(restoration.isComplete)
      await expectEqual(ready, 3 + 1)
    }

    @Test
    func `a call that waits for a continuation which nobody can resume does not hold up the end`()
      async throws
    {
      WaxwingEngine.setLogHandler { _ in }
      let session = try WaxwingEngine.start(
        text: """
          local W = class "Bank.AsyncWaits"
          function W:ready(n) self:note("waits"); return continuation(function() end) end
          """, name: "forgotten")
      async let ready = waits.ready(3)
      await waitUntil("a note", seen: waits.notes) { !waits.notes.isEmpty }
      // It would wait for an hour.
      let restoration = try await offPool {
        try WaxwingEngine.end(session, waitAtMost: .seconds(3600))
      }
      expectEqual(restoration.abandonedCalls, ["Bank.AsyncWaits.ready(_:)"])
      #expect(restoration.isComplete)
      await expectEqual(ready, 3 + 1)
    }

    @Test func `a call that is in Lua when its patch ends does not begin to wait for ever`()
      async throws
    {
      let arrived = DispatchSemaphore(value: 0)
      let goesOn = DispatchSemaphore(value: 0)
      WaxwingEngine.setLogHandler { event in
        guard event.message == "first turn" else { return }
        arrived.signal()
        goesOn.waitInTime()
      }
      defer { WaxwingEngine.setLogHandler { _ in } }
      let session = try WaxwingEngine.start(
        text: """
          local W = class "Bank.AsyncWaits"
          function W:ready(n) log.info("first turn"); return continuation(function() end) end
          """, name: "late")
      async let ready = waits.ready(3)
      let restoration = try await offPool {
        arrived.waitInTime()
        return try WaxwingEngine.end(session, waitAtMost: .zero)
      }
      expectEqual(restoration.laggards.map(\.patch), ["late"])
      goesOn.signal()
      await expectEqual(ready, 3 + 1)
    }

    @Test func `patches come and go, and tasks are cancelled, while calls wait`() async throws {
      WaxwingEngine.setLogHandler { _ in }
      let text = """
        local W = class "Bank.AsyncWaits"
        function W:manyReady(n)
          sleep(0.0005)
          local r = self:ORIGmanyReady(n)
          self:yields(1)
          return r
        end
        function W:watched(n)
          local t = task(function() sleep(0.001) end)
          local text = race{ function() return self:ORIGwatched(n) end, function() sleep(5) end }
          t:wait()
          return text
        end
        """
      let stop = StopSign()
      await withTaskGroup(of: Void.self) { group in
        for caller in 0..<8 {
          group.addTask {
            while !stop.isSet {
              let sum = await waits.manyReady(10)
              if sum != 55 { Issue.record("\(sum)") }
              let task = Task { await waits.watched(2) }
              if caller % 2 == 0 { task.cancel() }
              _ = await task.value
            }
          }
        }
        for _ in 0..<40 {
          do {
            let session = try WaxwingEngine.start(text: text, name: "storm")
            await letOthersRun(for: .milliseconds(5))
            _ = try await offPool {
              try WaxwingEngine.end(session, waitAtMost: .milliseconds(20))
            }
          } catch {
            Issue.record(error)
          }
        }
        stop.set()
      }
      let last = try WaxwingEngine.restore()
      #expect(last.isComplete)
      #expect(patches().isEmpty)
    }
  }
}

/// Told once to all who look.
private final class StopSign: Sendable {
  private let value = Mutex(false)
  var isSet: Bool { value.withLock { $0 } }
  func set() { value.withLock { $0 = true } }
}
