// SPDX-License-Identifier: MIT

import EngineTestSupport
import LeakGate
import Testing

extension EngineSuite {
  /// The leak gate; `scripts/leaks` is its long form.
  @Suite struct LeakTests {
    #if DEBUG
      private static let cycles = 20
    #else
      private static let cycles = 200
    #endif

    @Test func `applying, using and restoring leaves nothing behind`() throws {
      let cycle = LeakCycle(throwsErrors: true)
      for number in 0..<min(Self.cycles, 30) { try cycle.run(number) }
    }

    /// In debug builds it says no more and takes four times as long.
    #if DEBUG
      private static let countsMemory = false
    #else
      private static let countsMemory = true
    #endif

    @Test(.enabled(if: countsMemory))
    func `memory does not grow with the number of patches`() throws {
      let cycle = LeakCycle(throwsErrors: false)
      for number in 0..<50 { try cycle.run(number) }
      // Some 50 KB are freed blocks that malloc keeps for each size and counts as given out. Other suites
      // of the process take memory too: a leak shows every time. Swift's runtime keeps some 30 bytes each
      // time that conformances begin or end.
      // scripts/leaks does the same more often, in a process of its own.
      var growth: [Int] = []
      while growth.count < 6, growth.allSatisfy({ $0 >= Self.cycles * 500 }) {
        let before = LeakCycle.heapBytes
        for number in 0..<Self.cycles { try cycle.run(number) }
        growth.append(LeakCycle.heapBytes - before)
      }
      #expect(growth.contains { $0 < Self.cycles * 500 }, "\(growth)")
    }
  }
}
