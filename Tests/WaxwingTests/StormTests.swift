// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// Many threads, patches that come and go meanwhile, and what a stopped call leaves.
  @Suite struct StormTests {
    private static let patch = """
      local P = class "Bank.Prey"
      function P:other(n) return 7 end
      """

    @Test func `ten thousand short threads through an override`() throws {
      let wrong = Atomic<Int>(0)
      try withPatch(Self.patch) {
        for _ in 0..<100 {
          onThreads(100) { _ in
            if Prey().other(1) != 7 { wrong.add(1, ordering: .relaxed) }
          }
        }
        expectEqual(wrong.load(ordering: .relaxed), 0)
        let override = try #require(patches().first?.overrides.first)
        #expect(override.calls == 10_000 && override.bypassed == 0 && override.errors == 0)
      }
    }

    @Test func `restore while 64 threads are inside overrides`() throws {
      WaxwingEngine.setLogHandler { _ in }
      let isOver = Atomic<Bool>(false)
      let wrong = Atomic<Int>(0)
      let threads = (0..<64).map { _ in
        StartedThread {
          while !isOver.load(ordering: .relaxed) {
            if ![7, 2000].contains(Prey().other(1)) { wrong.add(1, ordering: .relaxed) }
          }
        }
      }
      for _ in 0..<20 {
        try WaxwingEngine.start(text: Self.patch, name: "storm")
        letOthersRun(for: .milliseconds(5))
        let restoration = try WaxwingEngine.restore(waitAtMost: .seconds(30))
        #expect(restoration.isComplete)
      }
      isOver.store(true, ordering: .relaxed)
      for thread in threads { #expect(thread.join()) }
      expectEqual(wrong.load(ordering: .relaxed), 0)
      expectEqual(Prey().other(1), 2000)
    }

    @Test func `a patch is applied while a call is still in the one before`() throws {
      WaxwingEngine.setLogHandler { _ in }
      let nap = Nap()
      let text = """
        local N = class "Bank.Nap"
        function N:rest(milliseconds) self:ORIGrest(milliseconds) return "first" end
        """
      try WaxwingEngine.apply(texts: [(text, "nap")])
      let answer = Mutex("")
      let isolated = Isolated(nap)
      let thread = StartedThread {
        let result = isolated.value.rest(300)
        answer.withLock { $0 = result }
      }
      expectEventually(patches().first?.overrides.first?.calls, 1)
      try WaxwingEngine.apply(
        texts: [(text.replacingOccurrences(of: "first", with: "second"), "nap")],
        waitAtMost: .zero)
      expectEqual(nap.rest(0), "second")
      #expect(thread.join())
      expectEqual(answer.withLock { $0 }, "first")
      #expect(try WaxwingEngine.restore().isComplete)
      expectEqual(nap.rest(0), "original")
    }

    @Test func `a call that was stopped leaves a patch that goes on`() throws {
      let prey = Prey()
      try withPatch(
        """
        patch { limits = { instructions = 20000 } }
        local P = class "Bank.Prey"
        local calls = 0
        function P:number(n)
          calls = calls + 1
          while n < 0 do pcall(function() while true do end end) end
          return calls
        end
        """
      ) {
        expectEqual(prey.number(1), 1)
        expectEqual(prey.number(-1), 1000)
        expectEqual(prey.number(1), 3)
        expectEqual(patches().first?.overrides.first?.errors, 1)
      }
    }
  }
}

/// A value that a test uses on two threads, in a safe way.
private struct Isolated<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
