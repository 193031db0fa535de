// SPDX-License-Identifier: MIT

import WaxwingControl

/// The next actions of a controller, as a function of the documents that it has read. Between two
/// decisions, only the store remembers anything.
struct ControllerDecision {
  /// The documents that the decision is based on.
  let view: FleetView
  /// The milliseconds for which this controller has watched since it decided last.
  let elapsed: Int
  let now: Timestamp
  /// The name of the controller that decides.
  let name: String

  /// - Parameter elapsed: By a clock that is never set.
  init(_ view: FleetView, elapsed: Int, now: Timestamp, name: String) {
    self.view = view
    self.elapsed = elapsed
    self.now = now
    self.name = name
  }

  /// The actions in their order. An action that is no longer possible ends the list.
  var actions: [ControllerAction] {
    guard let state = view.state else { return [] }
    switch state.document.phase {
    case .rolling, .paused: return stageActions(state)
    case .rollingBack: return returnActions(state)
    case .rolledBack, .done: return []
    }
  }

  // MARK: A stage

  private func stageActions(_ state: FleetView.Stored<RolloutState>) -> [ControllerAction] {
    // Under a halt no node has a set: there is nothing to be seen.
    guard view.halt == nil else { return [] }
    guard let rollout = view.rollout, view.stage != nil else {
      return pause(state, why: view.trouble ?? "the rollout has no such stage")
    }
    if let chosen = firstChoice(state.document) {
      let why = "\(chosen.count) of \(view.selected.count) nodes are chosen"
      let changed = state.document.changed(
        to: state.document.phase, chosen: chosen, why: why, by: name, at: now)
      return [.change(changed, revision: state.revision, event: "chosen")]
    }
    guard let record = view.record, record.document.isOf(state.document) else {
      let progress = StageProgress(
        rollout: state.document.rollout, stage: state.document.stage)
      return [
        .record(view.newRecord(state.document), revision: view.record?.revision ?? 0),
        .progress(progress, revision: view.progress?.revision ?? 0),
      ]
    }
    guard let judgement = view.judgement else { return [] }
    if judgement.verdict == .abort {
      return abort(state, rollout, why: judgement.reason)
    }
    if rollout.expires.secondsSince1970 < now.secondsSince1970, state.document.phase == .rolling {
      return pause(state, why: "the rollout has expired")
    }
    var actions: [ControllerAction] = []
    if let grown = view.grownRecord(record.document) {
      actions.append(.record(grown, revision: record.revision))
    }
    guard state.document.phase == .rolling else { return actions }
    if judgement.verdict == .advance { return [advance(state, rollout, judgement)] }
    let gates = judgement.findings.filter { $0.weight == .missing }.map(\.gate)
    return actions + [progressed(state.document), .hold(why: judgement.reason, gates: gates)]
  }

  /// The nodes of a stage in percent for which no node was chosen, because none was there; nil for
  /// other stages.
  private func firstChoice(_ state: RolloutState) -> ChosenNodes? {
    guard state.chosen.map({ $0.count == 0 }) ?? true, let chosen = view.choice(of: state.stage),
      chosen.count > 0
    else { return nil }
    return chosen
  }

  private func progressed(_ state: RolloutState) -> ControllerAction {
    let watched = Int(view.watchedSeconds * 1000) + max(elapsed, 0)
    let progress = StageProgress(rollout: state.rollout, stage: state.stage, watched: watched)
    return .progress(progress, revision: view.progress?.revision ?? 0)
  }

  private func advance(
    _ state: FleetView.Stored<RolloutState>, _ rollout: Rollout, _ judgement: Judgement
  ) -> ControllerAction {
    let next = state.document.stage + 1
    let isLast = next >= rollout.stages.count
    let changed = state.document.changed(
      to: isLast ? .done : .rolling, stage: isLast ? nil : next,
      chosen: isLast ? nil : view.choice(of: next), why: judgement.reason, by: name, at: now)
    return .change(changed, revision: state.revision, event: isLast ? "done" : "stage")
  }

  private func abort(
    _ state: FleetView.Stored<RolloutState>, _ rollout: Rollout, why: String
  ) -> [ControllerAction] {
    let changed = state.document.changed(to: .rollingBack, why: why, by: name, at: now)
    // In this order, so that a controller that is stopped in between forgets nothing.
    return [
      .markBad(set: rollout.set, rollout: state.document.rollout, why: why),
      .change(changed, revision: state.revision, event: "aborted"),
    ]
  }

  private func pause(
    _ state: FleetView.Stored<RolloutState>, why: String
  ) -> [ControllerAction] {
    guard state.document.phase != .paused else { return [] }
    let changed = state.document.changed(to: .paused, why: why, by: name, at: now)
    return [.change(changed, revision: state.revision, event: "paused")]
  }

  // MARK: The way back

  /// Done when no node that answers has the set any more, unless an earlier rollout says so, or is on its way. One that says that it cannot get
  /// where it should be is named, and not waited for.
  private func returnActions(_ state: FleetView.Stored<RolloutState>) -> [ControllerAction] {
    guard view.halt == nil, let rollout = view.rollout else { return [] }
    let nodes = view.selected.sorted { $0.node < $1.node }
    let plan = view.plan
    let reports = nodes.compactMap { view.reports[$0.node] }
    let isWaitedFor = nodes.contains { node in
      guard let report = view.reports[node.node] else { return false }
      return report.epoch < state.document.epoch
        || report.set == rollout.set && plan?.place(of: node).set != rollout.set
        || !report.isConverged && report.trouble == nil
    }
    guard !isWaitedFor else { return [] }
    let stuck = reports.filter { !$0.isConverged }.map(\.node)
    let silent = nodes.count - reports.count
    var why = "\(reports.count - stuck.count) nodes are back at the set before"
    if !stuck.isEmpty {
      why += ", \(stuck.count) cannot (\(stuck.prefix(3).joined(separator: ", ")))"
    }
    if silent > 0 { why += ", \(silent) do not report" }
    let changed = state.document.changed(to: .rolledBack, why: why, by: name, at: now)
    return [.change(changed, revision: state.revision, event: "rolledBack")]
  }
}
