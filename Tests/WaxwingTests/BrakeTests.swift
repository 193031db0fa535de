// SPDX-License-Identifier: MIT

import Bank
import Dispatch
import EngineTestSupport
import Expectations
import Foundation
import HeapProbe
import Testing
import Waxwing

extension EngineSuite {
  /// Ways back to the program's own code that always work.
  @Suite struct BrakeTests {
    private let account = Account(id: 1, owner: "Ada")

    @Test func `a call that stays is its patch's, and restoring others is complete`() throws {
      WaxwingEngine.setLogHandler { _ in }
      let gate = Gate.shared
      gate.close()
      let staying = try WaxwingEngine.start(
        text: """
          local G = class "Bank.Gate"
          function G:pass() return self:ORIGpass() end
          """, name: "staying")
      let hasEnded = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = gate.pass()
        hasEnded.signal()
      }
      expectEventually(gate.waiting, 1)
      let first = try WaxwingEngine.end(staying, waitAtMost: .milliseconds(20))
      #expect(!first.isComplete)
      expectEqual(first.differences, [])
      expectEqual(first.laggards.map(\.patch), ["staying"])
      expectEqual(first.laggards.map(\.function), ["Bank.Gate.pass()"])

      _ = try WaxwingEngine.start(
        text: "local A = class 'Bank.Account' function A:describe() return 'x' end", name: "other")
      expectEqual(account.describe(), "x")
      let second = try WaxwingEngine.restore()
      #expect(second.isComplete)
      expectEqual(second.endedPatches, ["other"])
      expectEqual(second.stillInside.map(\.patch), ["staying"])
      expectEqual(account.describe(), "account")

      let third = try WaxwingEngine.restore()
      #expect(third.isComplete)
      expectEqual(third.endedPatches, [])
      #expect(third.entriesVerified >= 2)
      expectEqual(third.stillInside.map(\.function), ["Bank.Gate.pass()"])
      gate.open()
      hasEnded.waitInTime()
      #expect(try WaxwingEngine.restore().stillInside.isEmpty)
      #expect(patches().isEmpty)
    }

    @Test func `an override that only sleeps does not hold up its end`() async throws {
      WaxwingEngine.setLogHandler { _ in }
      let session = try WaxwingEngine.start(
        text: """
          local W = class "Bank.AsyncWaits"
          function W:ready(n) sleep(3600); return -1 end
          """, name: "sleeping")
      let waits = AsyncWaits()
      async let answer = waits.ready(3)
      await expectEventually(patches().flatMap(\.overrides).map(\.calls), [1])
      await letOthersRun(for: .milliseconds(20))
      let restoration = try await offPool {
        try WaxwingEngine.end(session, waitAtMost: .seconds(3600))
      }
      #expect(restoration.isComplete)
      expectEqual(restoration.abandonedCalls, ["Bank.AsyncWaits.ready(_:)"])
      await expectEqual(answer, 4)
    }

    @Test func `a thread can ask for the program's own code`() throws {
      try withPatch("local A = class 'Bank.Account' function A:describe() return 'x' end") {
        expectEqual(account.describe(), "x")
        WaxwingEngine.withoutPatches {
          expectEqual(account.describe(), "account")
          WaxwingEngine.withoutPatches { expectEqual(account.describe(), "account") }
          expectEqual(account.describe(), "account")
        }
        expectEqual(account.describe(), "x")
        #expect(throws: BankError.self) {
          try WaxwingEngine.withoutPatches { throw BankError.insufficient(1) }
        }
        expectEqual(account.describe(), "x")
      }
    }

    /// Whoever holds the lock of the Lua state is not there in the child.
    @Test func `a child process runs its own code, and waits for nobody`() throws {
      let gate = Gate.shared
      try withPatch(
        """
        patch { limits = { milliseconds = 2000, instructions = 100e6 } }
        local A = class "Bank.Account"
        function A:describe() return "x" end
        local G = class "Bank.Gate"
        function G:pass()
          local n = 0
          while not gone do n = n + 1 if n % 1000 == 0 then gone = class("Bank.Gate").shared.waiting > 0 end end
          return true
        end
        """
      ) {
        expectEqual(account.describe(), "x")
        let hasEnded = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          _ = gate.pass()
          hasEnded.signal()
        }
        let context = Unmanaged.passUnretained(account).toOpaque()
        for _ in 0..<20 {
          let status = heap_probe_in_child(
            { context in
              let account = Unmanaged<Account>.fromOpaque(context!).takeUnretainedValue()
              if account.describe() != "account" { return 1 }
              if (try? WaxwingEngine.list()) != nil { return 2 }
              return 42
            }, context)
          expectEqual(status, 42)
        }
        hasEnded.waitInTime()
        expectEqual(account.describe(), "x")
      }
    }

    /// Begins 300 tasks.
    private func spinning(_ body: String) throws -> Session {
      try WaxwingEngine.start(
        text: """
          on("started", function()
            for i = 1, 300 do task(\(body)) end
          end)
          """, name: "spinning")
    }

    @Test func `tasks take their share and no more, and what waits too long is cancelled`()
      async throws
    {
      WaxwingEngine.policy.limits.taskMilliseconds = 20
      defer { WaxwingEngine.policy = Policy() }
      WaxwingEngine.setLogHandler { _ in }
      let session = try spinning("function() while true do end end")
      await expectEventually(patches().first?.tasks.live, 0)
      let counts = try #require(patches().first).tasks
      expectEqual(counts.failed, 300)
      #expect(counts.cancelled > 200)
      #expect(counts.cancelled < 300)
      #expect(try await offPool { try WaxwingEngine.end(session) }.isComplete)
    }

    @Test func `tasks that wait for their share end with their patch`() async throws {
      WaxwingEngine.policy.limits.taskMilliseconds = 1
      defer { WaxwingEngine.policy = Policy() }
      WaxwingEngine.setLogHandler { _ in }
      let session = try spinning("function() sleep(0) while true do end end")
      await letOthersRun(for: .milliseconds(100))
      let restoration = try await offPool {
        try WaxwingEngine.end(session, waitAtMost: .milliseconds(100))
      }
      #expect(restoration.cancelledTasks > 0)
      await expectEventually(patches().map(\.name), [])
    }
  }
}

extension EngineSuite {
  /// What an override throws, and what is a mistake of the patch.
  @Suite struct ThrownTests {
    private let account = Account(id: 1, owner: "Ada")

    /// The error that the caller gets, or what it is answered; and the fault.
    private func outcome(_ body: String) throws -> (String, String?) {
      try withPatch(
        """
        patch { name = "test" }
        local A = class "Bank.Account"
        function A:withdraw(n) \(body) end
        """
      ) {
        account.balance = 100
        do {
          return ("\(try account.withdraw(1))", faults().first)
        } catch {
          return ("\(error)", faults().first)
        }
      }
    }

    @Test(arguments: [
      ("error('no')", "test.lua:3: no"), ("throw('no')", "test.lua:3: no"),
      ("error('no', 0)", "test.lua:3: no"),
      (
        "pcall(error, 'x') error({ code = 5, reason = 'late' })",
        "test.lua:3: { code = 5, reason = \"late\" }"
      ),
      ("throw { 1, true }", "test.lua:3: { [1] = 1, [2] = true }"),
    ])
    func `what error and throw raise is thrown`(body: String, text: String) throws {
      let (answer, fault) = try outcome(body)
      expectEqual(answer, text)
      #expect(fault == nil)
    }

    @Test(arguments: [
      ("return undefinedVariable", "undefined variable"), ("require 'nothing'", "no module"),
      ("coroutine.yield()", "yield"), ("class(5)", "string"), ("assert(false, 'no')", "no"),
      ("local x = nil; return x.y", "index a nil value"), ("log.info({}, 5)", "log.info"),
      ("sleep(1)", "waits"), ("self.nothing = 1", "nothing"),
    ])
    func `what nobody raised on purpose is a fault`(body: String, part: String) throws {
      let (answer, fault) = try outcome(body)
      #expect(answer == "99", "\(fault ?? "")")
      #expect(fault?.contains(part) == true, "\(fault ?? "no fault")")
    }
  }
}
