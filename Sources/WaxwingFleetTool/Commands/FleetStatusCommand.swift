// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingFleet
import WaxwingToolKit

/// `waxwing-fleet status`: where the rollout stands.
struct FleetStatusCommand: FleetCommand {
  let name = "status"
  let summary = "shows where the current rollout stands, and the nodes by set"
  let usage = ["[--json]"]
  let options = [Option.json]
  let notes = ["The exit code is 10 while there is a halt, or a rollout goes back."]

  private struct Document: Encodable {
    let fleet: String
    let halt: Halt?
    let state: RolloutState?
    let rollout: Rollout?
    let set: FleetSet?
    /// The rollouts that count, the oldest first: the last one that selects a node decides where it should be.
    let rollouts: [FleetGoals.Entry]
    /// Nodes by where they should be: a set's name, `baseline` or `?`.
    let goals: [String: Int]
    let nodes: Int
    let converged: Int
    /// Nodes by where they are: a set's name, `baseline` or `?`.
    let places: [String: Int]
    /// The controller that leads; nil: none.
    let controller: ControllerLead?
    let trouble: String?
    /// The findings of `waxwing-fleet doctor`, by key.
    let defects: [String: String]
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let fleet = try FleetAccess(arguments)
    let document = try document(fleet)
    if arguments.has(.json) {
      try console.print(json: document)
    } else {
      console.print(lines(document))
    }
    let isBack = document.state?.phase == .rollingBack
    return document.halt != nil || isBack ? .degraded : .success
  }

  private func document(_ fleet: FleetAccess) throws(FleetError) -> Document {
    let defects = try FleetInspection(fleet.store.backend, fleet.store.keys, fleet.store.verifier)
      .quickDefects
    let state = defects.contains { $0.key == .state } ? nil : try fleet.state()?.state
    var (rollout, set, trouble): (Rollout?, FleetSet?, String?) = (nil, nil, nil)
    do throws(FleetError) {
      rollout = try state.map { state throws(FleetError) in try fleet.rollout(state.rollout) }
      set = try rollout.map { rollout throws(FleetError) in try fleet.set(rollout.set) }
    } catch {
      trouble = error.message
    }
    let nodes = try fleet.nodes()
    let goals = try FleetGoals(fleet)
    var (places, wanted): ([String: Int], [String: Int]) = ([:], [:])
    for node in nodes {
      places[NodeTable.place(node.report), default: 0] += 1
      wanted[goals.name(node.info), default: 0] += 1
    }
    return Document(
      fleet: fleet.store.keys.fleet, halt: goals.halt, state: state, rollout: rollout, set: set,
      rollouts: goals.entries(nodes), goals: wanted, nodes: nodes.count,
      converged: nodes.count { goals.isThere($0) }, places: places,
      controller: try fleet.leader(), trouble: trouble ?? goals.trouble,
      defects: Dictionary(uniqueKeysWithValues: defects.map { ($0.key.path, $0.what) }))
  }

  private func lines(_ document: Document) -> [String] {
    var lines = [
      "fleet \(document.fleet): \(counted(document.nodes, "node")), \(document.converged) where they should be"
    ]
    if let halt = document.halt { lines.append("HALTED \(halt.at) by \(halt.by): \(halt.why)") }
    if let trouble = document.trouble { lines.append("trouble: \(trouble)") }
    for (key, what) in document.defects.sorted(by: { $0.key < $1.key }) {
      lines.append("trouble: \(key): \(what)")
    }
    if document.controller == nil {
      lines.append("no controller leads: no rollout goes on, and none is rolled back by itself")
    }
    guard let state = document.state else { return lines + ["no rollout was started"] }
    let set = document.rollout.map { " of set \($0.set.prefix(12))" } ?? ""
    lines.append(
      "rollout \(state.rollout.prefix(12))\(set): \(state.phase.rawValue) since \(state.since)")
    if let stages = document.rollout?.stages, state.phase.isGoingOn {
      let names = stages.enumerated().map { $0 == state.stage ? "[\($1.name)]" : $1.name }
      lines.append("  stages  \(names.joined(separator: " "))")
    }
    if !state.why.isEmpty { lines.append("  why     \(state.why) (\(state.by))") }
    if !document.rollouts.isEmpty {
      lines += ["rollouts that count, the last that selects a node decides:"]
      lines += document.rollouts.map(\.line)
    }
    lines.append("where nodes are:")
    for (place, count) in document.places.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      lines.append("  \(place): \(counted(count, "node"))")
    }
    return lines
  }
}
