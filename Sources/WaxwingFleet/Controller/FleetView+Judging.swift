// SPDX-License-Identifier: MIT

extension FleetView {
  /// The judge's view of the current stage; nil if no stage goes on, or its beginning was not
  /// recorded.
  var judged: JudgedStage? {
    guard let state = state?.document, state.phase.isGoingOn, let rollout, let stage,
      let record = record?.document, record.isOf(state)
    else { return nil }
    var judged = JudgedStage(
      isCanary: stage.isCanary, bakedSeconds: watchedSeconds,
      bakeSeconds: Double(stage.bakeSeconds),
      nodes: judgedNodes(state, rollout, record.nodes))
    judged.references = record.references
    judged.gates = rollout.gates
    return judged
  }

  /// The verdict on the current stage; nil if there is nothing to judge.
  package var judgement: Judgement? { judged.map(Judge.judge) }

  /// All nodes that were there when the stage began, or are there now.
  private func judgedNodes(
    _ state: RolloutState, _ rollout: Rollout, _ baselines: [String: NodeBaseline]
  ) -> [JudgedNode] {
    let names = Set(selected.map(\.node)).union(baselines.keys)
    return names.sorted().map { name in
      let isTreated = rollout.includes(name, in: state)
      let baseline = baselines[name]
      let report = reports[name]
      let builds = report?.builds ?? infos[name]?.builds ?? baseline?.builds ?? []
      var node = JudgedNode(name, build: builds.joined(separator: "+"), isTreated: isTreated)
      node.counters = report?.counters
      node.baseline = baseline?.counters
      if isTreated, baseline?.set != rollout.set, let counters = report?.counters {
        // What was counted until now was counted under the set before.
        node.baseline?.calls = counters.calls
        node.baseline?.faults = counters.faults
        node.baseline?.requests = counters.requests
        node.baseline?.errors = counters.errors
        node.baseline?.since = counters.since
      }
      node.trouble = report?.trouble
      let before = Set(baseline?.quarantined ?? [])
      node.quarantined = (report?.quarantined ?? []).filter { !before.contains($0) }
      node.hasItsSet =
        isTreated ? report?.set == rollout.set : report?.isConverged ?? false
      return node
    }
  }

  /// The record of the nodes when the current stage begins.
  func newRecord(_ state: RolloutState) -> StageRecord {
    let nodes = selected.compactMap { info in
      reports[info.node].map { (info.node, baseline(of: $0, state)) }
    }
    return StageRecord(
      rollout: state.rollout, stage: state.stage, chosen: state.chosen,
      nodes: Dictionary(nodes) { first, _ in first }, references: references(state))
  }

  /// Nodes that report and are not in the record yet are counted from now on.
  func grownRecord(_ record: StageRecord) -> StageRecord? {
    let known = Set(record.nodes.keys)
    let new = selected.filter { !known.contains($0.node) }
    var grown = record
    for info in new {
      if let report = reports[info.node], let state = state?.document {
        grown.nodes[info.node] = baseline(of: report, state)
      }
    }
    for (name, baseline) in record.nodes where baseline.set != rollout?.set {
      guard let report = reports[name], report.set == rollout?.set else { continue }
      // The set has arrived: from here on its calls are counted.
      var arrived = NodeBaseline(report)
      arrived.quarantined = baseline.quarantined
      arrived.counters.switchedOff = baseline.counters.switchedOff
      arrived.counters.restarts = min(baseline.counters.restarts, report.counters.restarts)
      grown.nodes[name] = arrived
    }
    return grown == record ? nil : grown
  }

  /// A node that was faster than the controller has the set already: what was switched off there was so by it.
  private func baseline(of report: NodeReport, _ state: RolloutState) -> NodeBaseline {
    var baseline = NodeBaseline(report)
    func isTreated(_ state: RolloutState) -> Bool {
      rollout?.includes(report.node, in: state) ?? false
    }
    var before = state
    before.stage -= 1
    before.chosen = record.flatMap {
      $0.document.rollout == state.rollout ? $0.document.chosen : nil
    }
    let hasActed = report.rollout == state.rollout && report.epoch >= state.epoch
    if hasActed, isTreated(state), !isTreated(before) {
      baseline.quarantined = []
      baseline.counters.switchedOff = 0
    }
    return baseline
  }

  /// The counts of untreated nodes until now: those of the stage before, if it saw enough of them,
  /// or else since they were started.
  private func references(_ state: RolloutState) -> [String: GroupTotals] {
    guard let rollout else { return [:] }
    let before = record?.document
    let isSame = before?.rollout == state.rollout && (before?.stage ?? 0) < state.stage
    guard isSame, let before else {
      let untreated = selected.compactMap { reports[$0.node] }
      return Dictionary(grouping: untreated) { $0.builds.joined(separator: "+") }
        .mapValues { GroupTotals($0.map(\.counters)) }
    }
    var earlier = state
    earlier.stage = before.stage
    earlier.chosen = before.chosen
    let untreated = judgedNodes(earlier, rollout, before.nodes).filter { !$0.isTreated }
    let measured = Dictionary(grouping: untreated, by: \.build).mapValues { GroupTotals($0) }
    return before.references.merging(measured) { old, new in
      new.requests >= Double(rollout.gates.minimumErrorRequests) ? new : old
    }
  }
}
