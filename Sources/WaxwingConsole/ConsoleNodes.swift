// SPDX-License-Identifier: MIT

import WaxwingFleet

/// The nodes as the page shows them: where each is, where it should be, and why it is not well.
struct ConsoleNodes {
  private let view: FleetView
  private let plan: FleetPlan?

  init(_ view: FleetView) {
    self.view = view
    plan = view.plan
  }

  /// The nodes by name. A node that was there when the stage began and is gone counts as well.
  var all: [ConsoleDocument.Node] {
    let names = Set(view.infos.keys).union(view.record?.document.nodes.keys.map { $0 } ?? [])
    return names.sorted().map(node)
  }

  private func node(_ name: String) -> ConsoleDocument.Node {
    let (info, report) = (view.infos[name], view.reports[name])
    let place = info.flatMap { info in plan?.place(of: info) }
    let builds = report?.builds ?? info?.builds ?? []
    var node = ConsoleDocument.Node(
      name: name, state: state(report, place), build: builds.joined(separator: "+"),
      set: report.map { $0.set ?? ($0.isBaseline ? "baseline" : "?") } ?? "?", goal: goal(place))
    node.labels = info?.labels ?? [:]
    node.calls = report?.counters.calls
    node.faults = report?.counters.faults
    node.why = why(info, report, place)
    return node
  }

  private func goal(_ place: NodePlace?) -> String {
    if view.halt != nil { return "baseline" }
    guard let place, place.isKnown else { return "?" }
    return place.set ?? "baseline"
  }

  private func state(_ report: NodeReport?, _ place: NodePlace?) -> ConsoleDocument.Node.State {
    guard let report else { return .silent }
    let isThere = report.isAt(place, isHalted: view.halt != nil)
    let isInTrouble = report.trouble != nil && !isThere
    if !report.quarantined.isEmpty || report.counters.switchedOff > 0 || isInTrouble {
      return .harmed
    }
    if !isThere { return .waiting }
    return report.set != nil && report.set == view.rollout?.set ? .treated : .baseline
  }

  private func why(_ info: NodeInfo?, _ report: NodeReport?, _ place: NodePlace?) -> String? {
    guard let report else {
      return info == nil ? "its agent is gone" : "its agent is there, and does not report"
    }
    var reasons = report.quarantined.map {
      "\($0) is set aside: the program crashed with it"
    }
    let off = report.counters.switchedOff
    if off > 0 {
      reasons.append("overrides that are switched off, as they failed too often: \(off)")
    }
    if let trouble = report.trouble { reasons.append(trouble) }
    if case .unknown(let rollout) = place {
      reasons.append("rollout \(rollout.prefix(12)), which may be for it, cannot be read")
    }
    if reasons.isEmpty, !report.isAt(place, isHalted: view.halt != nil) {
      reasons.append(view.halt == nil ? "it is not at its goal yet" : "the halt has not reached it")
    }
    return reasons.isEmpty ? nil : reasons.joined(separator: "; ")
  }
}
