// SPDX-License-Identifier: MIT

import ByteTrials
import Glibc

/// Damaged frames, configuration files, audit logs and ELF images.
@main enum ByteFuzz {
  static func main() {
    let rounds = Int(clamping: number(after: "--rounds") ?? 1_000_000)
    let seed = number(after: "--seed") ?? UInt64.random(in: 0...UInt64.max)
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

  private static func number(after option: String) -> UInt64? {
    let words = CommandLine.arguments
    guard let place = words.firstIndex(of: option), place + 1 < words.count else { return nil }
    return UInt64(words[place + 1])
  }
}
