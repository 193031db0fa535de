// SPDX-License-Identifier: MIT

import ByteTrials
import Glibc
import SeededRandom

/// Damaged frames, configuration files, audit logs and ELF images.
@main enum ByteFuzz {
  static func main() {
    let options = FuzzOptions(rounds: 1_000_000)
    let (rounds, seed) = (options.rounds, options.seed)
    var mistakes: [String] = []
    for trial in ByteTrial.all {
      print("\(trial.name): \(rounds) rounds from seed \(seed)")
      // A trap shall not take the line above with it.
      fflush(nil)
      let outcome = trial.run(rounds: rounds, seed: seed)
      print("\(outcome.accepted) inputs accepted, \(outcome.refused) refused")
      mistakes += outcome.mistakes
    }
    for mistake in mistakes.prefix(20) { print(mistake) }
    guard mistakes.isEmpty else {
      print("\(mistakes.count) MISTAKES")
      exit(1)
    }
  }
}
