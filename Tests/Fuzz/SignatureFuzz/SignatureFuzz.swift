// SPDX-License-Identifier: MIT

import Glibc
import SeededRandom
import SignatureOracle

/// Damaged signatures, key lists and manifests; verdicts on signatures against those of stock tools.
/// The first is done twenty times in a round.
@main enum SignatureFuzz {
  static func main() throws {
    let options = FuzzOptions(rounds: 10_000)
    let (rounds, seed) = (options.rounds, options.seed)
    print("parsers: \(rounds * 20) rounds from seed \(seed)")
    let parsers = try ParserFuzz().run(rounds: rounds * 20, seed: seed)
    print("\(parsers.accepted) inputs accepted, \(parsers.refused) refused")
    print("signatures: \(rounds) rounds from seed \(seed)")
    let oracle = try SignatureOracle().run(rounds: rounds, seed: seed)
    print("\(oracle.rounds) verdicts, \(oracle.accepted) of them accepted")
    let mistakes = parsers.mistakes + oracle.differences
    for mistake in mistakes.prefix(20) { print(mistake) }
    guard mistakes.isEmpty else {
      print("\(mistakes.count) MISTAKES")
      exit(1)
    }
  }
}
