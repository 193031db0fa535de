// SPDX-License-Identifier: MIT

import ByteTrials
import SeededRandom
import Testing

/// A quick run of what scripts/fuzz does for long.
@Suite struct ByteTrialTests {
  @Test(arguments: ByteTrial.all.indices)
  func `damaged frames, files and images are refused, and nothing traps`(index: Int) {
    let trial = ByteTrial.all[index]
    let seed = TestSeed(7)
    let outcome = trial.run(rounds: 4000, seed: seed.value)
    #expect(outcome.mistakes == [], "\(trial.name), \(seed)")
    #expect(outcome.accepted > 0 && outcome.refused > 0, "\(trial.name), \(seed): \(outcome)")
  }
}
