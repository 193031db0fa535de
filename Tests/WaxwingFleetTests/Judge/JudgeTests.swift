// SPDX-License-Identifier: MIT

import SeededRandom
import Testing

@testable import WaxwingFleet

/// Verdicts on stages, gate by gate.
@Suite struct JudgeTests {
  /// A change to a good stage, and what comes of it.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let verdict: Judgement.Verdict
    let gate: GateFinding.Gate
    var isCanary = false
    let change: @Sendable (inout JudgedStage) -> Void

    var testDescription: String { name }
  }

  /// Changes all treated nodes, or the first so many.
  private static func treated(
    _ count: Int = .max, _ change: @escaping @Sendable (inout JudgedNode) -> Void
  ) -> @Sendable (inout JudgedStage) -> Void {
    { stage in
      let places = stage.nodes.indices.filter { stage.nodes[$0].isTreated }
      for place in places.prefix(count) { change(&stage.nodes[place]) }
    }
  }

  private static func untreated(
    _ change: @escaping @Sendable (inout JudgedNode) -> Void
  ) -> @Sendable (inout JudgedStage) -> Void {
    { stage in
      for place in stage.nodes.indices where !stage.nodes[place].isTreated {
        change(&stage.nodes[place])
      }
    }
  }

  static let rows: [Row] = [
    Row(
      name: "a canary starts again and again", verdict: .abort, gate: .crashes, isCanary: true,
      change: treated { $0.counters?.restarts = 2 }),
    Row(
      name: "a canary's breaker trips", verdict: .abort, gate: .crashes, isCanary: true,
      change: treated { $0.counters?.switchedOff = 1 }),
    Row(
      name: "one of ten is in quarantine", verdict: .abort, gate: .crashes,
      change: treated(1) { $0.quarantined = ["greeting"] }),
    Row(
      name: "one restart", verdict: .advance, gate: .crashes, isCanary: true,
      change: treated { $0.counters?.restarts = 1 }),
    Row(
      name: "restarts of before", verdict: .advance, gate: .crashes,
      change: treated {
        $0.counters?.restarts = 4
        $0.baseline?.restarts = 4
      }),
    Row(
      name: "restarts everywhere", verdict: .advance, gate: .crashes,
      change: { stage in
        for place in stage.nodes.indices { stage.nodes[place].counters?.restarts = 4 }
      }),
    Row(
      name: "untreated nodes crash", verdict: .advance, gate: .crashes,
      change: untreated { $0.counters?.restarts = 9 }),
    Row(
      name: "a canary rejects the set", verdict: .abort, gate: .trouble, isCanary: true,
      change: treated {
        $0.hasItsSet = false
        $0.trouble = "serial 3 is too old"
      }),
    Row(
      name: "a canary cannot take it yet", verdict: .hold, gate: .trouble, isCanary: true,
      change: { stage in
        stage.bakedSeconds = 10
        treated {
          $0.hasItsSet = false
          $0.trouble = "no daemon answers"
        }(&stage)
      }),
    Row(
      name: "3 of 20,000 calls fail", verdict: .advance, gate: .faults,
      change: treated(1) { $0.counters?.faults = 3 }),
    Row(
      name: "30 of 20,000 calls fail", verdict: .abort, gate: .faults,
      change: treated(1) { $0.counters?.faults = 30 }),
    Row(
      name: "one of few calls fails", verdict: .hold, gate: .traffic,
      change: { stage in
        treated { $0.counters?.calls = 50 }(&stage)
        treated(1) {
          $0.counters?.calls = 69
          $0.counters?.faults = 1
        }(&stage)
      }),
    Row(
      name: "one of twenty calls fails", verdict: .abort, gate: .faults,
      change: { stage in
        treated { $0.counters?.calls = 50 }(&stage)
        treated(1) {
          $0.counters?.calls = 70
          $0.counters?.faults = 1
        }(&stage)
      }),
    Row(
      name: "requests fail", verdict: .abort, gate: .errors,
      change: treated { $0.counters?.errors = 150 }),
    Row(
      name: "requests fail everywhere", verdict: .advance, gate: .errors,
      change: { stage in
        for place in stage.nodes.indices { stage.nodes[place].counters?.errors = 500 }
      }),
    Row(
      name: "a rise below one point", verdict: .advance, gate: .errors,
      change: treated { $0.counters?.errors = 50 }),
    Row(
      name: "too few requests", verdict: .hold, gate: .errors,
      change: treated { $0.counters?.requests = 715 }),
    Row(
      name: "treated nodes count no requests any more", verdict: .hold, gate: .errors,
      change: treated { $0.counters?.requests = nil }),
    Row(
      name: "nobody counts requests", verdict: .advance, gate: .errors,
      change: { stage in
        for place in stage.nodes.indices { stage.nodes[place].counters?.requests = nil }
      }),
    Row(
      name: "latency doubles", verdict: .abort, gate: .latency,
      change: treated { $0.counters?.latency = 20_000 }),
    Row(
      name: "latency of one of ten doubles", verdict: .advance, gate: .latency,
      change: treated(1) { $0.counters?.latency = 20_000 }),
    Row(
      name: "latency doubles by little", verdict: .advance, gate: .latency,
      change: { stage in
        untreated { $0.counters?.latency = 100 }(&stage)
        treated { $0.counters?.latency = 200 }(&stage)
      }),
    Row(
      name: "latency is missing", verdict: .hold, gate: .latency,
      change: treated { $0.counters?.latency = nil }),
    Row(
      name: "three of ten are silent", verdict: .abort, gate: .silence,
      change: treated(3) { $0.counters = nil }),
    Row(
      name: "two of ten are silent", verdict: .advance, gate: .silence,
      change: treated(2) { $0.counters = nil }),
    Row(
      name: "all are silent", verdict: .hold, gate: .silence,
      change: { stage in
        for place in stage.nodes.indices { stage.nodes[place].counters = nil }
      }),
    Row(
      name: "a canary is late", verdict: .hold, gate: .arrival, isCanary: true,
      change: treated { $0.hasItsSet = false }),
    Row(
      name: "three of ten are late", verdict: .hold, gate: .arrival,
      change: treated(3) { $0.hasItsSet = false }),
    Row(
      name: "two of ten are late", verdict: .advance, gate: .arrival,
      change: treated(2) { $0.hasItsSet = false }),
    Row(
      name: "more nodes are asked for", verdict: .hold, gate: .arrival,
      change: { $0.gates.minimumNodes = 11 }),
    Row(name: "it bakes", verdict: .hold, gate: .bake, change: { $0.bakedSeconds = 599.9 }),
    Row(
      name: "a time that is no number", verdict: .hold, gate: .bake,
      change: { $0.bakedSeconds = .nan }),
    Row(
      name: "harm while it bakes", verdict: .abort, gate: .crashes,
      change: { stage in
        stage.bakedSeconds = 1
        treated { $0.counters?.restarts = 3 }(&stage)
      }),
    Row(
      name: "too few calls", verdict: .hold, gate: .traffic,
      change: { $0.gates.minimumCalls = 20_001 }),
    Row(
      name: "no baselines", verdict: .hold, gate: .traffic, change: treated { $0.baseline = nil }),
  ]

  @Test(arguments: rows)
  func verdict(row: Row) throws {
    var stage = row.isCanary ? StageSample.canary() : StageSample.good()
    row.change(&stage)
    let judgement = Judge.judge(stage)
    #expect(judgement.verdict == row.verdict, "\(judgement.reason)")
    let finding = try #require(judgement.findings.first { $0.gate == row.gate })
    let weight: GateFinding.Weight =
      switch row.verdict {
      case .advance: .passed
      case .hold: .missing
      case .abort: .harm
      }
    #expect(finding.weight == weight)
    #expect(judgement.reason.contains(finding.words))
  }

  @Test func `a good stage passes, and says by what`() {
    let judgement = Judge.judge(StageSample.good())
    #expect(judgement.verdict == .advance)
    #expect(
      judgement.findings.map(\.words) == [
        "no node crashed", "every node could take the set", "all treated nodes report",
        "10 of 10 treated nodes have the set", "watched for 600 s of 600 s",
        "20000 calls of overrides on build 0011aabb",
        "0 of 20000 calls of overrides failed on build 0011aabb",
        "0.20 % of requests failed on treated nodes of build 0011aabb, 0.20 % on untreated ones",
        "99 % of requests took up to 10 ms on treated nodes of build 0011aabb, 10 ms on untreated ones",
      ])
  }

  @Test func `a stage without nodes is held`() {
    var stage = StageSample.good()
    stage.nodes = []
    #expect(Judge.judge(stage).verdict == .hold)
    #expect(Judgement([]).verdict == .hold)
  }

  @Test func `a reason names nodes and numbers`() {
    var stage = StageSample.good()
    for place in 0..<4 { stage.nodes[place].counters?.restarts = 3 }
    #expect(
      Judge.judge(stage).reason
        == "4 of 10 treated nodes crashed or switched patches off (t0, t1, t2, …)")
  }

  @Test func `one of many may crash behind the canaries`() {
    var stage = StageSample.good(treated: 200)
    stage.nodes[0].quarantined = ["greeting"]
    #expect(Judge.judge(stage).verdict == .advance)
    stage.nodes[1].quarantined = ["greeting"]
    stage.nodes[2].quarantined = ["greeting"]
    #expect(Judge.judge(stage).verdict == .abort)
  }

  @Test func `where no untreated node is left, what they did before is compared`() {
    var stage = StageSample.good(untreated: 0)
    #expect(Judge.judge(stage).verdict == .hold)
    stage.references[StageSample.build] = GroupTotals(
      StageSample.good().nodes.filter { !$0.isTreated })
    #expect(Judge.judge(stage).verdict == .advance)
    for place in stage.nodes.indices { stage.nodes[place].counters?.errors = 400 }
    #expect(Judge.judge(stage).verdict == .abort)
  }

  @Test func `only nodes of one build are compared`() {
    var stage = StageSample.good()
    for place in stage.nodes.indices where stage.nodes[place].isTreated {
      stage.nodes[place].build = "another"
    }
    #expect(Judge.judge(stage).verdict == .hold)
  }

  @Test func `each build needs its traffic`() {
    var stage = StageSample.good()
    var idle = StageSample.node("idle", isTreated: true)
    idle.build = "cc"
    idle.counters = idle.baseline
    stage.nodes.append(idle)
    let judgement = Judge.judge(stage)
    #expect(judgement.verdict == .hold)
    #expect(judgement.reason.contains("too little traffic on build cc: 0 calls"))
  }
}
