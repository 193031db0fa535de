// SPDX-License-Identifier: MIT

import WaxwingControl

/// Where a node should be.
package enum NodeGoal: Hashable, Sendable {
  /// The node stays as it is, although it should be elsewhere or it is not known where; with the
  /// reason.
  case stay(String)
  /// The node may stay where it is; with the reason.
  case free(String)
  /// No patch is live, and none is kept.
  case baseline
  /// The set is live: on trial, or for good.
  case set(String, isOnTrial: Bool)
  /// The set that was there before a rollout is live, or none: a trial of the rollout's set ends. Also where a node
  /// should be that the newest rollout is not for.
  case previous(String?, rollout: String)
}

/// What a node knows when it decides.
package struct NodeSituation: Sendable {
  /// Whether there is a halt.
  package var isHalted = false
  /// Where the current rollout stands; nil: none was started.
  package var state: RolloutState?
  /// The rollout, if somebody who may has signed it.
  package var rollout: Rollout?
  /// The rollouts that were finished before it, as far as they may be for the node; nil: it is of form 1.
  package var finished: [FleetPlan.Finished]?
  /// Why there is none, although the state names one.
  package var trouble: String?
  /// What the node is.
  package var node: NodeInfo
  /// The set that is live there.
  package var liveSet: String?
  /// The highest serial number of a rollout that the node has acted on.
  package var lastSerial = 0
  /// The seconds for which the store has not answered.
  package var secondsWithoutStore = 0.0
  /// The seconds for which a canary goes on without the store.
  var mostSecondsWithoutStore = 900.0

  /// A node that knows nothing yet.
  package init(node: NodeInfo) { self.node = node }

  /// Decides where the node should be.
  /// - Parameter time: Now, in seconds since 1970.
  package func goal(at time: Int) -> NodeGoal {
    if isHalted { return .baseline }
    guard let state else { return .free("no rollout was started") }
    let name = "rollout \(state.rollout.prefix(12))"
    guard let rollout, let plan else { return .stay(trouble ?? "\(name) is not known") }
    guard rollout.serial >= lastSerial else {
      return .stay("\(name) has serial \(rollout.serial), and this node has acted on \(lastSerial)")
    }
    switch plan.place(of: node) {
    case .free: return .free("\(name) is not for this node")
    case .unknown(let other):
      return .stay(trouble ?? "rollout \(other.prefix(12)) is not known, and may be for this node")
    case .baseline: return .previous(nil, rollout: rollout.set)
    case .before(let id): return .previous(id, rollout: rollout.set)
    case .set(let id, let decider, let isOnTrial):
      let isCanary = isOnTrial && rollout.canaries.contains(node.node)
      if isCanary, secondsWithoutStore > mostSecondsWithoutStore {
        return .stay("the store does not answer, and a canary's trial ends without it")
      }
      if let expires = plan.expiry(of: decider), time >= expires.secondsSince1970, liveSet != id {
        // What a rollout has taken back does not stay.
        if decider != state.rollout, liveSet == rollout.set {
          return .previous(nil, rollout: rollout.set)
        }
        return .stay("rollout \(decider.prefix(12)) expired \(expires)")
      }
      return decider == state.rollout
        ? .set(id, isOnTrial: isOnTrial) : .previous(id, rollout: rollout.set)
    }
  }

  /// The rollouts that count; nil if they are not known.
  var plan: FleetPlan? {
    guard let state, let rollout else { return nil }
    return FleetPlan(
      state: state, newest: rollout, finished: rollout.base == nil ? nil : finished ?? [])
  }
}
