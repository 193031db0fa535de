// SPDX-License-Identifier: MIT

import Glibc
import SignatureOracle

/// Compares verdicts on signatures with those of the stock tools, for as many rounds as the first
/// argument says, from the seed that the second does; then reads twenty times as many damaged files.
@main enum SignatureFuzz {
  static func main() throws {
    let numbers = CommandLine.arguments.dropFirst().compactMap(UInt64.init)
    let rounds = Int(numbers.first ?? 10_000)
    let seed = numbers.count > 1 ? numbers[1] : UInt64.random(in: 0...UInt64.max)
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
