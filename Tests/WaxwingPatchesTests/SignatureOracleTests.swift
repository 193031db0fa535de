// SPDX-License-Identifier: MIT

import SignatureOracle
import Testing

@Suite struct SignatureOracleTests {
  @Test func `verdicts on changed patches, signatures and lists are those of the stock tools`()
    throws
  {
    let outcome = try SignatureOracle().run(rounds: 500, seed: 7)
    #expect(outcome.differences == [])
    // Both kinds of verdict are there.
    #expect(outcome.accepted > 50 && outcome.accepted < 250, "\(outcome.accepted)")
  }

  @Test func `damaged manifests, signatures and lists are refused or read, and nothing traps`()
    throws
  {
    let outcome = try ParserFuzz().run(rounds: 4000, seed: 7)
    #expect(outcome.mistakes == [])
    #expect(outcome.accepted > 200 && outcome.refused > 1000, "\(outcome)")
  }
}
