// SPDX-License-Identifier: MIT

import EngineTestSupport
import Expectations
import SeededRandom
import Testing
import TortureRig

extension EngineSuite {
  /// The torture test, in brief; `scripts/torture` is its long form.
  @Suite struct TortureTests {
    #if DEBUG
      private static let rounds = 100
    #else
      private static let rounds = 300
    #endif

    @Test
    func `patches come and go under calls, and everything adds up`() throws {
      var options = TortureOptions(seed: TestSeed.drawn.value)
      options.rounds = Self.rounds
      options.checksHeap = false  // other tests have filled it
      let summary = try Torture.run(options)  // its failure names the seed
      expectEqual(summary.rounds, Self.rounds)
      #expect(summary.deepest >= 3 && summary.laggards > 0 && summary.calls > Self.rounds)
    }
  }
}
