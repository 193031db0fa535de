// SPDX-License-Identifier: MIT

import SeededRandom
import SignatureOracle
import Testing

@Suite struct SignatureOracleTests {
  @Test func `verdicts on changed patches, signatures and lists are those of the stock tools`()
    throws
  {
    let seed = TestSeed(7)
    let outcome = try SignatureOracle().run(rounds: 500, seed: seed.value)
    #expect(outcome.differences == [], "\(seed)")
    // Both kinds of verdict are there.
    #expect(outcome.accepted > 50 && outcome.accepted < 250, "\(seed): \(outcome)")
  }

  @Test func `damaged manifests, signatures and lists are refused or read, and nothing traps`()
    throws
  {
    let seed = TestSeed(7)
    let outcome = try ParserFuzz().run(rounds: 4000, seed: seed.value)
    #expect(outcome.mistakes == [], "\(seed)")
    #expect(outcome.accepted > 200 && outcome.refused > 1000, "\(seed): \(outcome)")
  }
}
