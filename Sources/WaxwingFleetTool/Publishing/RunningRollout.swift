// SPDX-License-Identifier: MIT

import WaxwingFleet
import WaxwingToolKit

/// Whether a rollout is over, so that another may begin.
struct RunningRollout {
  private let fleet: FleetAccess

  init(_ fleet: FleetAccess) { self.fleet = fleet }

  /// - Throws: ``FleetError`` `conflict` if one goes on.
  func demandNone(_ state: RolloutState?) throws(FleetError) {
    guard let state, !state.phase.isFinal else { return }
    let name = "rollout \(state.rollout.prefix(12))"
    guard state.phase == .rollingBack else {
      throw FleetError(
        .conflict, "\(name) goes on", remedy: "wait for its end, or `waxwing-fleet abort` it")
    }
    // Without a controller nobody says that all are back.
    let plan: FleetPlan
    do throws(FleetError) {
      guard let read = try fleet.plan() else { return }
      plan = read
    } catch  where error.code == .untrusted || error.code == .notFound {
      // Who should be where nobody can tell: whoever starts another one has to say that this one is forgotten.
      return
    }
    let set = plan.newest.set
    let late = try fleet.nodes().filter { node in
      node.report?.set == set && plan.place(of: node.info).set != set
        || node.report?.epoch != state.epoch
    }
    guard late.isEmpty else {
      let names = late.prefix(5).map(\.info.node).joined(separator: ", ")
      throw FleetError(
        .conflict, "\(name) is still being rolled back on \(counted(late.count, "node")): \(names)",
        remedy: "wait for them: `waxwing-fleet nodes`")
    }
  }
}
