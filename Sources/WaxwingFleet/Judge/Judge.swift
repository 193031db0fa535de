// SPDX-License-Identifier: MIT

/// Judges a stage of a rollout by what its nodes report. It is a function of its input: it reads no clock
/// and no store.
///
/// Treated nodes are compared with untreated ones of the same build, by what either counted since the stage
/// began. Harm ends a rollout at any time, also while the stage bakes. What is not known never passes: without
/// reports, calls or something to compare with the verdict is to hold.
package struct Judge {
  let stage: JudgedStage
  let treated: [JudgedNode]
  let untreated: [JudgedNode]

  /// A judge of this stage.
  init(_ stage: JudgedStage) {
    self.stage = stage
    treated = stage.nodes.filter(\.isTreated)
    untreated = stage.nodes.filter { !$0.isTreated }
  }

  /// The verdict on a stage.
  static func judge(_ stage: JudgedStage) -> Judgement {
    let judge = Judge(stage)
    var findings = [
      judge.crashes, judge.trouble, judge.silence, judge.arrival, judge.bake,
    ]
    for build in Set(judge.treated.map(\.build)).sorted() {
      findings += judge.findings(of: build)
    }
    return Judgement(findings)
  }

  private func findings(of build: String) -> [GateFinding] {
    let comparison = BuildComparison(
      build: build, treated: GroupTotals(treated.filter { $0.build == build }),
      control: GroupTotals(untreated.filter { $0.build == build }),
      reference: stage.references[build], gates: stage.gates)
    return [comparison.traffic, comparison.faults, comparison.errors, comparison.latency]
  }

  // MARK: Crashes

  /// Nodes whose program set a patch aside, switched overrides off, or was started again and again since the
  /// stage began. Restarts do not count where as large a share of untreated nodes has them.
  private var crashes: GateFinding {
    let areRestartsOurs =
      Self.share(of: treated, where: Self.restarts) / 2
      > Self.share(of: untreated, where: Self.restarts)
    let harmed = treated.filter { node in
      !node.quarantined.isEmpty || (node.delta?.switchedOff ?? 0) > 0
        || areRestartsOurs && Self.restarts(node)
    }
    return finding(on: harmed, .crashes, "crashed or switched patches off", "no node crashed")
  }

  /// Whether the node has restarted more than once. One restart may be an operator's.
  private static func restarts(_ node: JudgedNode) -> Bool { (node.delta?.restarts ?? 0) > 1 }

  private static func share(of nodes: [JudgedNode], where isCounted: (JudgedNode) -> Bool) -> Double
  {
    nodes.isEmpty ? 0 : Double(nodes.count(where: isCounted)) / Double(nodes.count)
  }

  // MARK: Trouble

  /// Seconds for which a node may say that it cannot take the set: its program may be starting just now.
  static let patience = 60.0

  private var trouble: GateFinding {
    let troubled = treated.filter { !$0.hasItsSet && $0.trouble != nil }
    let why = troubled.compactMap(\.trouble).first.map { ": \($0)" } ?? ""
    var finding = finding(
      on: troubled, .trouble, "could not take the set\(why)", "every node could take the set")
    if finding.weight == .harm, stage.bakedSeconds < min(Self.patience, stage.bakeSeconds) {
      finding.weight = .missing
    }
    return finding
  }

  /// The finding about nodes that came to harm. In a canary stage, one node is too many. In later
  /// stages a small share of nodes may come to harm by chance, unless there is only one node.
  private func finding(
    on nodes: [JudgedNode], _ gate: GateFinding.Gate, _ harm: String, _ passed: String
  ) -> GateFinding {
    guard !nodes.isEmpty else { return GateFinding(gate: gate, weight: .passed, words: passed) }
    let share = Double(nodes.count) / Double(treated.count)
    let isHarm = stage.isCanary || share > stage.gates.maximumCrashRatio
    let words = "\(nodes.count) of \(treated.count) treated nodes \(harm) (\(Self.names(nodes)))"
    return GateFinding(gate: gate, weight: isHarm ? .harm : .passed, words: words)
  }

  static func names(_ nodes: [JudgedNode]) -> String {
    let shown = nodes.map(\.name).sorted().prefix(3).joined(separator: ", ")
    return nodes.count > 3 ? "\(shown), …" : shown
  }

  // MARK: Silence

  /// Silent nodes may be dead. If untreated ones are silent too it is the network, and no patch.
  private var silence: GateFinding {
    let silent = treated.filter { $0.counters == nil }
    let share = Self.silentShare(treated)
    let words =
      "\(silent.count) of \(treated.count) treated nodes are silent (\(Self.names(silent)))"
    guard !silent.isEmpty else {
      return GateFinding(gate: .silence, weight: .passed, words: "all treated nodes report")
    }
    guard share > stage.gates.maximumSilentRatio else {
      return GateFinding(gate: .silence, weight: .passed, words: words)
    }
    if Self.silentShare(untreated) >= share / 2 {
      return GateFinding(
        gate: .silence, weight: .missing, words: "\(words), and so are untreated ones")
    }
    return GateFinding(gate: .silence, weight: .harm, words: words)
  }

  private static func silentShare(_ nodes: [JudgedNode]) -> Double {
    share(of: nodes) { $0.counters == nil }
  }

  // MARK: Arrival and bake

  /// Whether the set has arrived where it was sent. Silent nodes are the business of another gate.
  private var arrival: GateFinding {
    let heard = treated.filter { $0.counters != nil }
    let arrived = heard.filter(\.hasItsSet)
    let needed = max(stage.gates.minimumNodes, 1)
    if arrived.count < needed {
      let words = "\(arrived.count) nodes have the set, \(needed) are needed"
      return GateFinding(gate: .arrival, weight: .missing, words: words)
    }
    let late = heard.filter { !$0.hasItsSet }
    let words = "\(arrived.count) of \(treated.count) treated nodes have the set"
    // Behind the canaries a few may be late: a machine that is being repaired must not stop all others.
    let mayBeLate = stage.isCanary ? 0 : stage.gates.maximumSilentRatio * Double(treated.count)
    guard Double(late.count) <= mayBeLate else {
      return GateFinding(
        gate: .arrival, weight: .missing, words: "\(words), still without: \(Self.names(late))")
    }
    return GateFinding(gate: .arrival, weight: .passed, words: words)
  }

  private var bake: GateFinding {
    let (watched, needed) = (stage.bakedSeconds, stage.bakeSeconds)
    // Written so that a number that is none does not pass.
    let isOver = stage.bakedSeconds >= stage.bakeSeconds
    return GateFinding(
      gate: .bake, weight: isOver ? .passed : .missing,
      words: "watched for \(Decimals.whole(watched)) s of \(Decimals.whole(needed)) s")
  }
}
