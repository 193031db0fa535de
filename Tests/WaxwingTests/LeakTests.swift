// SPDX-License-Identifier: MIT

import LeakGate
import Testing

extension EngineSuite {
  /// The leak gate; `scripts/leaks` is its long form.
  @Suite struct LeakTests {
    @Test func `68, 223: applying, using and restoring leaves nothing behind`() throws {
      let cycle = LeakCycle(throwsErrors: true)
      for number in 0..<30 { try cycle.run(number) }
    }

    @Test func `68: memory does not grow with the number of patches`() throws {
      let cycle = LeakCycle(throwsErrors: false)
      for number in 0..<50 { try cycle.run(number) }
      // Some 50 KB are freed blocks that malloc keeps for each size and counts as given out. Other suites
      // of the process take memory too: a leak shows every time. Swift's runtime keeps some 30 bytes each
      // time that conformances begin or end.
      var growth: [Int] = []
      while growth.count < 6, growth.allSatisfy({ $0 >= 200 * 250 }) {
        let before = LeakCycle.heapBytes
        for number in 0..<200 { try cycle.run(number) }
        growth.append(LeakCycle.heapBytes - before)
      }
      #expect(growth.contains { $0 < 200 * 250 }, "\(growth)")
    }
  }
}
