// SPDX-License-Identifier: MIT

import WaxwingFleet
import WaxwingToolKit

/// Shows what a rollout means for the nodes that are there, before it is signed.
struct RolloutPreview {
  /// All nodes of the set's program.
  let nodes: [NodeInfo]
  let rollout: Rollout
  /// The finished rollouts that it is based on.
  let base: [FleetPlan.Finished]
  /// The name of the rollout.
  let id: String

  /// The nodes that the rollout selects.
  var selected: [NodeInfo] {
    let entry = FleetPlan.Finished(id: id, rollout: rollout)
    return nodes.filter(entry.selects)
  }

  /// How many nodes each stage means.
  var counts: [Int] { rollout.counts(id: id, among: selected.map(\.node)) }

  /// The sets that the selected nodes come back to, or `baseline`, with their number.
  var places: [String: Int] {
    let state = RolloutState(rollout: id, phase: .rolledBack, epoch: 0)
    let plan = FleetPlan(state: state, newest: rollout, finished: base)
    var places: [String: Int] = [:]
    for node in selected { places[plan.place(of: node).set ?? "baseline", default: 0] += 1 }
    return places
  }

  /// Probable mistakes, one sentence each.
  var doubts: [String] {
    guard let selector = try? NodeSelector(rollout.selector) else { return [] }
    var doubts = selector.unknownTerms(among: nodes)
    let names = Set(selected.map(\.node))
    if names.isEmpty { doubts.append("no node is selected by '\(rollout.selector)'") }
    for name in rollout.canaries where !names.contains(name) {
      doubts.append("the canary \(name) is not there, or not selected")
    }
    for (stage, count) in zip(rollout.stages, counts) where count == 0 && !names.isEmpty {
      doubts.append(
        "the stage \(stage.name) has no node: \(stage.name) of \(names.count) is less than one")
    }
    return doubts
  }

  /// The preview for the operator.
  var lines: [String] {
    let list = zip(rollout.stages, counts).map { stage, count in
      "\(stage.name) (\(Self.nodes(count))) for \(FleetDuration.text(stage.bakeSeconds))"
    }
    let places = places.sorted { $0.key < $1.key }.map { place, count in
      "\(place == "baseline" ? place : "set \(place.prefix(12))") (\(Self.nodes(count)))"
    }
    return [
      "  to      \(rollout.selector) (\(selected.count) of \(Self.nodes(nodes.count)))",
      "  stages  \(list.joined(separator: ", "))",
      "  back to \(places.isEmpty ? "baseline" : places.joined(separator: ", "))",
    ]
  }

  private static func nodes(_ count: Int) -> String { counted(count, "node") }
}
