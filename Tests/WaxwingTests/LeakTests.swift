// SPDX-License-Identifier: MIT

import LeakGate
import Testing

extension EngineSuite {
  /// The leak gate; `scripts/leaks` is its long form.
  @Suite struct LeakTests {
    @Test func `68, 223: applying, using and restoring leaves nothing behind`() throws {
      let cycle = LeakCycle(throwsErrors: true)
      for number in 0..<100 { try cycle.run(number) }
    }

    @Test func `68: memory does not grow with the number of patches`() throws {
      let cycle = LeakCycle(throwsErrors: false)
      for number in 0..<100 { try cycle.run(number) }
      // Some 50 KB are freed blocks that malloc keeps for each size and counts as given out. Other suites
      // of the process take memory too: a leak shows every time.
      let growth = try (0..<3).map { _ in
        let before = LeakCycle.heapBytes
        for number in 0..<300 { try cycle.run(number) }
        return LeakCycle.heapBytes - before
      }
      #expect(growth.contains { $0 < 300 * 200 }, "\(growth)")
    }
  }
}
