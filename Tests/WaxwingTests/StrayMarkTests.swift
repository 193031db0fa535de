// SPDX-License-Identifier: MIT

import EngineTestSupport
import Expectations
import Synchronization
import Testing
import TortureFixture
import TortureProbe
import Waxwing

extension EngineSuite {
  /// An original is called with a mark on the thread, which the function consumes if its entry is
  /// replaced. A mark that is left over would let the next overridden function on the thread run
  /// without its override.
  @Suite struct StrayMarkTests {
    private static let lasting = """
      local S = class "TortureFixture.TortureSubject"
      function S:number(n) return self:ORIGnumber(n) + 1000 end
      """
    private static let passing = """
      local M = module "TortureFixture"
      function M.tortureLate(n) return M.ORIGtortureLate(n) + 1 end
      """

    /// The stub's code outlives the patch: a thread that has read its address may come at any time.
    @Test func `a call that comes after the patch has ended leaves no mark`() throws {
      let subject = TortureSubject()
      let baseline = torture_late_word()
      try withPatch(Self.lasting, name: "lasting") {
        for _ in 0..<100 {
          let session = try WaxwingEngine.start(text: Self.passing, name: "passing")
          let stub = torture_late_word()
          let isReplaced = stub != baseline
          #expect(isReplaced)
          let patched = torture_call_late(stub, 5)
          try WaxwingEngine.end(session)
          let isRestored = torture_late_word() == baseline
          #expect(isRestored)
          let late = torture_call_late(stub, 5)
          #expect(patched == 1 && late == 0)
          expectEqual(subject.number(1), 1000)
        }
      }
    }

    private static func startAndEnd(_ rounds: Int) {
      for _ in 0..<rounds {
        do {
          let session = try WaxwingEngine.start(text: passing, name: "passing")
          try WaxwingEngine.end(session, waitAtMost: .milliseconds(1))
        } catch {
          Issue.record(error)
          return
        }
      }
    }

    @Test func `ending under calls lets no other override be skipped`() throws {
      let subject = TortureSubject()
      let stop = Atomic<Bool>(false)
      let skipped = Atomic<Int>(0)
      let illegal = Atomic<Int>(0)
      #if DEBUG
        let rounds = 300
      #else
        let rounds = 3000
      #endif
      try withPatch(Self.lasting, name: "lasting") {
        onThreads(4) { index in
          if index == 0 {
            Self.startAndEnd(rounds)
            stop.store(true, ordering: .relaxed)
          }
          while !stop.load(ordering: .relaxed) {
            if ![0, 1].contains(tortureLate(1)) { illegal.add(1, ordering: .relaxed) }
            if subject.number(1) != 1000 { skipped.add(1, ordering: .relaxed) }
          }
        }
        expectEqual(skipped.load(ordering: .relaxed), 0)
        expectEqual(illegal.load(ordering: .relaxed), 0)
        // Sessions that were ended while calls were in them are closed by now, or by this.
        expectEqual(patches().map(\.name), ["lasting"])
        let isRestored = tortureLate(1) == 0
        #expect(isRestored)
      }
    }
  }
}
