// SPDX-License-Identifier: MIT

import SeededRandom
import Testing

@testable import WaxwingFleet

/// What a node has counted since a moment, also across restarts of its program.
@Suite struct CountersDeltaTests {
  private static func counters(_ since: Int, calls: Int) -> NodeReport.Counters {
    var counters = NodeReport.Counters()
    counters.since = since
    counters.calls = calls
    return counters
  }

  @Test(arguments: [
    (counters(1, calls: 10), counters(1, calls: 25), 15),
    (counters(1, calls: 10), counters(1, calls: 10), 0),
    // The program was restarted: its counters began at zero.
    (counters(1, calls: 10), counters(2, calls: 4), 4),
    (counters(1, calls: 10), counters(2, calls: 25), 25),
    // A restart that the report does not show.
    (counters(1, calls: 10), counters(1, calls: 4), 4),
  ])
  func `calls since then`(before: NodeReport.Counters, now: NodeReport.Counters, expected: Int) {
    #expect(now.since(before).calls == expected)
  }

  @Test func `a program that begins to count requests has counted none before`() {
    let before = Self.counters(1, calls: 0)
    var now = before
    now.requests = 7
    #expect(now.since(before).requests == 7)
    #expect(now.since(before).errors == nil)
  }

  @Test(arguments: TestSeed.each(1...4))
  func `a difference is never negative, and never more than the counter shows`(seed: TestSeed) {
    var random = seed.generator
    for _ in 0..<500 {
      let (before, now) = (StageSample.counters(&random), StageSample.counters(&random))
      let delta = now.since(before)
      #expect((0...max(now.calls, 0)).contains(delta.calls), "\(seed)")
      #expect((0...max(now.faults, 0)).contains(delta.faults), "\(seed)")
      #expect((0...max(now.restarts, 0)).contains(delta.restarts), "\(seed)")
      #expect((0...max(now.requests ?? 0, 0)).contains(delta.requests ?? 0), "\(seed)")
    }
  }
}
