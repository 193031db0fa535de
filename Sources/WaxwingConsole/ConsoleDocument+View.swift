// SPDX-License-Identifier: MIT

import WaxwingFleet

extension ConsoleDocument {
  /// Takes what was read from the store.
  mutating func show(_ view: FleetView) {
    halted = view.halt.map { "\($0.why) (\($0.by), \($0.at))" }
    phase = view.halt != nil ? "halted" : Self.name(view.state?.document.phase)
    rollout = view.state?.document.rollout
    set = view.rollout?.set
    before = Self.before(view)
    bake = view.stage?.bakeSeconds ?? 0
    baked = view.watchedSeconds
    showStages(view)
    let judgement = view.judgement
    verdict = judgement?.verdict.rawValue
    reason = judgement?.reason ?? view.trouble ?? view.state?.document.why
    findings = judgement?.findings ?? []
    nodes = Self.nodes(view)
  }

  /// The set that the selected nodes come back to; nil: baseline, or none that is the same for all.
  private static func before(_ view: FleetView) -> String? {
    guard var plan = view.plan else { return nil }
    plan = FleetPlan(
      state: plan.state.changed(to: .rolledBack, why: "", by: ""), newest: plan.newest,
      finished: plan.finished)
    let sets = Set(view.selected.map { plan.place(of: $0).set })
    return sets.count == 1 ? sets.first ?? nil : nil
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

  private static func nodes(_ view: FleetView) -> [Node] {
    let names = Set(view.infos.keys).union(view.record?.document.nodes.keys.map { $0 } ?? [])
    let selected = Set(view.selected.map(\.node))
    return names.sorted().map { name in
      let report = view.reports[name]
      let builds = report?.builds ?? view.infos[name]?.builds ?? []
      return Node(
        name: name, state: state(of: name, report, view, isSelected: selected.contains(name)),
        build: builds.joined(separator: "+"),
        set: report?.set, calls: report?.counters.calls, faults: report?.counters.faults,
        why: why(report))
    }
  }

  private static func state(
    of name: String, _ report: NodeReport?, _ view: FleetView, isSelected: Bool
  ) -> Node.State {
    guard let report else { return .silent }
    if !report.quarantined.isEmpty || report.counters.switchedOff > 0 { return .harmed }
    if report.trouble != nil, !report.isConverged { return .harmed }
    guard let state = view.state?.document, let rollout = view.rollout else { return .baseline }
    if report.set == rollout.set { return .treated }
    let isMeant =
      isSelected
      && (state.phase == .done || state.phase.isGoingOn && rollout.includes(name, in: state))
    return isMeant && view.halt == nil ? .waiting : .baseline
  }

  private static func why(_ report: NodeReport?) -> String? {
    guard let report else { return nil }
    let aside = report.quarantined.map { "\($0) is set aside" }
    let words = aside + [report.trouble].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }
}
