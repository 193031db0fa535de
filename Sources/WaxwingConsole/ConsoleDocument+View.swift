// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingFleet

extension ConsoleDocument {
  /// Takes what was read from the store.
  mutating func show(_ view: FleetView) {
    halted = view.halt.map { halt in
      Entry(at: halt.at.secondsSince1970 * 1000, by: halt.by, what: "halted", why: halt.why)
    }
    phase = view.halt != nil ? "halted" : Self.name(view.state?.document.phase)
    before = Self.before(view)
    plan = Self.plan(view)
    showStages(view)
    let judgement = view.judgement
    findings = (judgement?.findings ?? []).filter { $0.weight != .missing }
    reason = judgement == nil ? view.state?.document.why : nil
    nodes = ConsoleNodes(view).all
    waits = Self.waits(view, judgement, away: nodes.count { $0.state == .waiting })
    countRequests = view.reports.values.count { $0.counters.requests != nil }
    measureLatency = view.reports.values.count { $0.counters.latency != nil }
    trouble =
      view.trouble ?? view.defects.first.map { "\($0); `waxwing-fleet doctor` says what to do" }
  }

  private static func plan(_ view: FleetView) -> Plan? {
    guard let id = view.state?.document.rollout, let rollout = view.rollout else { return nil }
    return Plan(
      id: id, set: rollout.set, selector: rollout.selector, selected: view.selected.count,
      startedAt: rollout.startedAt.secondsSince1970 * 1000,
      expires: rollout.expires.secondsSince1970 * 1000)
  }

  /// The set that the selected nodes come back to, or `baseline`; nil: it is not the same for all, or not known.
  private static func before(_ view: FleetView) -> String? {
    guard var plan = view.plan else { return nil }
    plan = FleetPlan(
      state: plan.state.changed(to: .rolledBack, why: "", by: ""), newest: plan.newest,
      finished: plan.finished)
    let places = Set(view.selected.map { plan.place(of: $0) })
    let names = Set(places.map { $0.isKnown ? $0.set ?? "baseline" : nil })
    return names.count == 1 ? names.first ?? nil : nil
  }

  private static func name(_ phase: RolloutState.Phase?) -> String {
    switch phase {
    case nil: "idle"
    case .rollingBack: "rolling back"
    case .rolledBack: "rolled back"
    case .some(let phase): phase.rawValue
    }
  }

  private mutating func showStages(_ view: FleetView) {
    guard let state = view.state?.document, let rollout = view.rollout else {
      stages = []
      return
    }
    stages = rollout.stages.enumerated().map { index, stage in
      let isOver = index < state.stage || state.phase == .done
      let isCurrent = index == state.stage && !state.phase.isFinal
      return Stage(name: stage.name, state: isOver ? "over" : isCurrent ? "current" : "next")
    }
  }

  /// - Parameter away: How many nodes are not at their goal yet.
  private static func waits(_ view: FleetView, _ judgement: Judgement?, away: Int) -> [String] {
    guard let state = view.state?.document, !state.phase.isFinal, view.rollout != nil else {
      return []
    }
    if view.halt != nil { return ["the end of the halt: waxwing-fleet halt --lift"] }
    if state.phase == .rollingBack { return ["nodes that are not back yet: \(away)"] }
    let resume = "waxwing-fleet resume, since \(state.by) has paused it: \(state.why)"
    let gates = (judgement?.findings ?? []).filter { $0.weight == .missing }
      .map { "\($0.gate.rawValue): \($0.words)" }
    let record = judgement == nil ? ["a controller that records how the stage began"] : []
    return (state.phase == .paused ? [resume] : []) + record + gates
  }
}
