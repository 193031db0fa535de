// SPDX-License-Identifier: MIT

import Bank
import Dispatch
import EngineTestSupport
import Expectations
import Foundation
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// Several threads in one patch.
  @Suite struct ThreadTests {
    @Test func `two threads in the same override at once`() throws {
      let values = Values()
      let wrong = Atomic<Int>(0)
      try withPatch(
        "local V = class 'Bank.Values'\nfunction V:int(v) return self:ORIGint(v) + 1 end"
      ) {
        onThreads(4) { thread in
          for n in 0..<5000 where values.int(thread * 10_000 + n) != thread * 10_000 + n + 1 {
            wrong.add(1, ordering: .relaxed)
          }
        }
        expectEqual(wrong.load(ordering: .relaxed), 0)
        expectEqual(patches().first?.overrides.first?.calls, 20_000)
      }
    }

    @Test
    func `an original that waits for another thread in an override`() throws {
      let waiting = Waiting()
      try withPatch(
        """
        local W = class "Bank.Waiting"
        function W:waitsForOther() return self:ORIGwaitsForOther() + 1 end
        function W:other() return self:ORIGother() + 10 end
        """
      ) {
        expectEqual(waiting.waitsForOther(), 112)
        expectEqual(faults(), [])
      }
    }

    @Test func `calls while a patch comes and goes run exactly one body`() throws {
      // Shared on purpose: the method reads nothing of it.
      nonisolated(unsafe) let account = Account(owner: "Ada")
      let stop = Atomic<Bool>(false)
      let wrong = Atomic<Int>(0)
      let calls = Atomic<Int>(0)
      let group = DispatchGroup()
      for _ in 0..<3 {
        group.enter()
        Thread {
          while !stop.load(ordering: .relaxed) {
            let result = account.inheritedOnly(1)
            if result != 2, result != 1001 { wrong.add(1, ordering: .relaxed) }
            calls.add(1, ordering: .relaxed)
          }
          group.leave()
        }.start()
      }
      for _ in 0..<200 {
        let session = try WaxwingEngine.start(
          text: "local A = class 'Bank.Account'\nfunction A:inheritedOnly(n) return n + 1000 end",
          name: "toggled")
        let restoration = try WaxwingEngine.end(session)
        #expect(restoration.isComplete)
      }
      stop.store(true, ordering: .relaxed)
      group.waitInTime()
      expectEqual(wrong.load(ordering: .relaxed), 0)
      #expect(calls.load(ordering: .relaxed) > 0)
    }

    @Test
    func `a call that does not end in time is named; new calls are at baseline at once`() throws {
      let waiting = Waiting()
      let session = try WaxwingEngine.start(
        text:
          "local W = class 'Bank.Waiting'\nfunction W:blocks() return self:ORIGblocks() + 1 end",
        name: "stuck")
      let result = Mutex<Int>(0)
      let done = DispatchSemaphore(value: 0)
      Thread {
        let value = waiting.blocks()
        result.withLock { $0 = value }
        done.signal()
      }.start()
      waiting.entered.waitInTime()
      let first = try WaxwingEngine.end(session, waitAtMost: .milliseconds(50))
      #expect(!first.isComplete)
      expectEqual(first.laggards.map(\.patch), ["stuck"])
      expectEqual(first.laggards.map(\.function), ["Bank.Waiting.blocks()"])
      expectEqual(patches().map(\.state), [.draining])
      waiting.gate.signal()
      done.waitInTime()
      expectEqual(result.withLock { $0 }, 8)
      let second = try WaxwingEngine.restore()
      #expect(second.isComplete)
      #expect(patches().isEmpty)
    }
  }
}
