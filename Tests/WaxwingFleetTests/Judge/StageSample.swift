// SPDX-License-Identifier: MIT

import SeededRandom

@testable import WaxwingFleet

/// Stages for tests of the judge.
enum StageSample {
  static let build = "0011aabb"

  /// A node that has served 5,000 requests, 10 of them wrongly, since the stage began; a treated one has
  /// called overrides 2,000 times.
  static func node(_ name: String, isTreated: Bool) -> JudgedNode {
    var node = JudgedNode(name, build: build, isTreated: isTreated)
    node.hasItsSet = true
    var before = NodeReport.Counters()
    before.latency = 10_000
    before.requests = 700
    before.errors = 3
    before.calls = isTreated ? 50 : 0
    var now = before
    now.requests = 700 + 5000
    now.errors = 3 + 10
    now.calls += isTreated ? 2000 : 0
    node.baseline = before
    node.counters = now
    return node
  }

  /// A later stage that has baked: ten treated nodes and thirty untreated ones, all well.
  static func good(treated: Int = 10, untreated: Int = 30) -> JudgedStage {
    JudgedStage(
      isCanary: false, bakedSeconds: 600, bakeSeconds: 600,
      nodes: (0..<treated).map { node("t\($0)", isTreated: true) }
        + (0..<untreated).map { node("u\($0)", isTreated: false) })
  }

  /// The stage of one canary.
  static func canary() -> JudgedStage {
    var stage = good(treated: 1)
    stage.isCanary = true
    return stage
  }

  /// Anything that reports could add up to, also absurd things.
  static func random(_ random: inout SeededGenerator) -> JudgedStage {
    var stage = JudgedStage(
      isCanary: .random(using: &random),
      bakedSeconds: .random(in: 0...1200, using: &random),
      bakeSeconds: .random(in: 0...900, using: &random), nodes: [])
    for index in 0..<Int.random(in: 0...12, using: &random) {
      stage.nodes.append(randomNode("n\(index)", &random))
    }
    stage.gates.minimumCalls = Int.random(in: 0...2000, using: &random)
    return stage
  }

  private static func randomNode(_ name: String, _ random: inout SeededGenerator) -> JudgedNode {
    var node = JudgedNode(
      name, build: Bool.random(using: &random) ? "a" : "b", isTreated: .random(using: &random))
    node.hasItsSet = Int.random(in: 0..<8, using: &random) > 0
    if Int.random(in: 0..<8, using: &random) > 0 { node.counters = counters(&random) }
    if Int.random(in: 0..<8, using: &random) > 0 { node.baseline = counters(&random) }
    if Int.random(in: 0..<20, using: &random) == 0 { node.trouble = "no" }
    if Int.random(in: 0..<20, using: &random) == 0 { node.quarantined = ["p"] }
    return node
  }

  static func counters(_ random: inout SeededGenerator) -> NodeReport.Counters {
    var counters = NodeReport.Counters()
    counters.since = Int.random(in: 0..<2, using: &random)
    counters.calls = number(&random)
    counters.faults = Bool.random(using: &random) ? 0 : number(&random)
    counters.switchedOff = Int.random(in: 0..<10, using: &random) > 0 ? 0 : number(&random)
    counters.restarts = Int.random(in: 0..<10, using: &random) > 0 ? 0 : number(&random)
    if Bool.random(using: &random) { counters.requests = number(&random) }
    if Bool.random(using: &random) { counters.errors = number(&random) }
    if Bool.random(using: &random) { counters.latency = Double(number(&random)) }
    return counters
  }

  /// Mostly such numbers as occur, sometimes the largest of all, and negative ones.
  private static func number(_ random: inout SeededGenerator) -> Int {
    Int.random(in: 0..<10, using: &random) == 0
      ? .random(in: .min ... .max, using: &random) : .random(in: 0...5000, using: &random)
  }
}
