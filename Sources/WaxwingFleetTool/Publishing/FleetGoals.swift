// SPDX-License-Identifier: MIT

import WaxwingFleet
import WaxwingToolKit

/// Where each node of a fleet should be, in words.
struct FleetGoals {
  /// The rollouts that count; nil: there are none, or they cannot be read.
  let plan: FleetPlan?
  /// The halt, which comes before them; nil: there is none.
  let halt: Halt?
  /// Why the rollouts cannot be read; nil: they can.
  let trouble: String?

  init(_ fleet: FleetAccess) throws(FleetError) {
    halt = try fleet.halt()
    do throws(FleetError) {
      plan = try fleet.plan()
      trouble = nil
    } catch {
      guard error.code == .untrusted || error.code == .notFound else { throw error }
      plan = nil
      trouble = error.message
    }
  }

  /// A set's name, `baseline`, or `?`.
  func name(_ node: NodeInfo) -> String {
    if halt != nil { return "baseline" }
    guard let place = plan?.place(of: node), place.isKnown else { return "?" }
    return place.set ?? "baseline"
  }

  /// A name of a goal that is short enough for a table.
  func shortName(_ node: NodeInfo) -> String { String(name(node).prefix(12)) }

  /// The rollout that decides about a node; nil: none does.
  func decider(_ node: NodeInfo) -> String? {
    guard halt == nil, case .set(_, let rollout, _) = plan?.place(of: node) else { return nil }
    return rollout
  }

  func isThere(_ node: FleetAccess.Node) -> Bool {
    node.isThere(plan?.place(of: node.info), isHalted: halt != nil)
  }

  /// The rollouts that count, the oldest first, each with the nodes that it decides about.
  func entries(_ nodes: [FleetAccess.Node]) -> [Entry] {
    guard let plan else { return [] }
    var counts: [String: Int] = [:]
    for node in nodes {
      if case .set(_, let id, _) = plan.place(of: node.info) { counts[id, default: 0] += 1 }
    }
    let finished = (plan.finished ?? []).map { entry in
      Entry(
        rollout: entry.id, phase: RolloutState.Phase.done.rawValue, set: entry.rollout?.set,
        selector: entry.rollout?.selector, nodes: counts[entry.id] ?? 0)
    }
    let newest = Entry(
      rollout: plan.state.rollout, phase: plan.state.phase.rawValue, set: plan.newest.set,
      selector: plan.newest.selector, nodes: counts[plan.state.rollout] ?? 0)
    return finished + [newest]
  }

  /// A rollout that counts.
  struct Entry: Encodable {
    let rollout: String
    let phase: String
    /// Nil: the rollout cannot be read.
    let set: String?
    let selector: String?
    /// How many nodes should be at its set.
    let nodes: Int

    var line: String {
      guard let set, let selector else { return "  \(rollout.prefix(12))  cannot be read" }
      return
        "  \(rollout.prefix(12))  \(phase): set \(set.prefix(12)) to \(selector), nodes: \(nodes)"
    }
  }
}
