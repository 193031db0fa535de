// SPDX-License-Identifier: MIT

import SeededRandom
import Testing

@testable import WaxwingFleet

/// What holds for the verdict on any stage.
@Suite struct JudgePropertyTests {
  /// Random stages with their verdicts; also good ones, as hardly any random one passes.
  private func each(
    _ seed: TestSeed, _ body: (JudgedStage, Judgement, inout SeededGenerator) -> Void
  ) {
    var random = seed.generator
    for round in 0..<200 {
      let stage =
        round % 2 == 0
        ? StageSample.random(&random)
        : StageSample.good(
          treated: .random(in: 1...40, using: &random),
          untreated: .random(in: 1...40, using: &random))
      body(stage, Judge.judge(stage), &random)
    }
  }

  @Test(arguments: TestSeed.each(1...4))
  func `silence never makes a stage pass`(seed: TestSeed) {
    each(seed) { stage, judgement, random in
      guard judgement.verdict != .advance else { return }
      var fewer = stage
      for place in fewer.nodes.indices where Bool.random(using: &random) {
        fewer.nodes[place].counters = nil
      }
      // Silence may hide harm up to the share that may be silent; it never stands in for a time or for calls.
      let treated = fewer.nodes.filter(\.isTreated)
      let calls = GroupTotals(treated).calls
      if treated.allSatisfy({ $0.counters == nil }) || calls < Double(fewer.gates.minimumCalls) {
        #expect(Judge.judge(fewer).verdict != .advance, "\(seed)")
      }
    }
  }

  @Test(arguments: TestSeed.each(1...4))
  func `what passes has baked, has arrived, and has traffic on each build`(seed: TestSeed) {
    each(seed) { stage, judgement, _ in
      guard judgement.verdict == .advance else { return }
      #expect(stage.bakedSeconds >= stage.bakeSeconds, "\(seed)")
      let treated = stage.nodes.filter(\.isTreated)
      #expect(treated.contains { $0.hasItsSet && $0.counters != nil }, "\(seed)")
      for build in Set(treated.map(\.build)) {
        let calls = GroupTotals(treated.filter { $0.build == build }).calls
        #expect(calls >= Double(stage.gates.minimumCalls), "\(seed)")
      }
    }
  }

  @Test(arguments: TestSeed.each(1...4))
  func `more crashes never make a verdict better`(seed: TestSeed) {
    each(seed) { stage, judgement, random in
      var worse = stage
      for place in worse.nodes.indices
      where worse.nodes[place].isTreated && Bool.random(using: &random) {
        worse.nodes[place].quarantined.append("another")
      }
      let order: [Judgement.Verdict] = [.advance, .hold, .abort]
      let (before, after) = (judgement.verdict, Judge.judge(worse).verdict)
      #expect(order.firstIndex(of: after)! >= order.firstIndex(of: before)!, "\(seed)")
    }
  }

  @Test(arguments: TestSeed.each(1...4))
  func `the order of nodes does not matter`(seed: TestSeed) {
    each(seed) { stage, judgement, random in
      var shuffled = stage
      shuffled.nodes.shuffle(using: &random)
      #expect(Judge.judge(shuffled).verdict == judgement.verdict, "\(seed)")
    }
  }

  @Test(arguments: TestSeed.each(1...4))
  func `every verdict has a reason`(seed: TestSeed) {
    each(seed) { _, judgement, _ in
      #expect(judgement.reason != "nothing is known of the stage", "\(seed)")
      #expect(!judgement.reason.isEmpty, "\(seed)")
    }
  }

  @Test(arguments: TestSeed.each(1...4))
  func `restarts of programs alone never abort`(seed: TestSeed) {
    each(seed) { _, _, random in
      var stage = StageSample.good(treated: 20, untreated: 20)
      for place in stage.nodes.indices where Bool.random(using: &random) {
        var fresh = NodeReport.Counters()
        fresh.since = 2
        fresh.calls = .random(in: 0...2000, using: &random)
        fresh.requests = .random(in: 0...5000, using: &random)
        fresh.errors = 0
        stage.nodes[place].counters = fresh
      }
      #expect(Judge.judge(stage).verdict != .abort, "\(seed)")
    }
  }
}
