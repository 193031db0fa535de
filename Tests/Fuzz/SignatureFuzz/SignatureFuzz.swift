// SPDX-License-Identifier: MIT

import Glibc
import SignatureOracle

/// Compares verdicts on signatures with those of the stock tools, for as many rounds as the first
/// argument says, from the seed that the second does.
@main enum SignatureFuzz {
  static func main() throws {
    let numbers = CommandLine.arguments.dropFirst().compactMap(UInt64.init)
    let rounds = Int(numbers.first ?? 10_000)
    let seed = numbers.count > 1 ? numbers[1] : UInt64.random(in: 0...UInt64.max)
    print("signatures: \(rounds) rounds from seed \(seed)")
    let outcome = try SignatureOracle().run(rounds: rounds, seed: seed)
    print("\(outcome.rounds) verdicts, \(outcome.accepted) of them accepted")
    for difference in outcome.differences.prefix(20) { print(difference) }
    guard outcome.differences.isEmpty else {
      print("\(outcome.differences.count) DIFFERENCES")
      exit(1)
    }
  }
}
