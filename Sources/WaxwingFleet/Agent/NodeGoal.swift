// SPDX-License-Identifier: MIT

import WaxwingControl

/// Where a node should be.
package enum NodeGoal: Hashable, Sendable {
  /// It stays as it is, and why.
  case stay(String)
  /// No patch is live, and none is kept.
  case baseline
  /// The set is live: on trial, or for good.
  case set(String, isOnTrial: Bool)
  /// The set that was there before a rollout is live, or none: a trial of the rollout's set ends.
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
  /// Why there is none, although the state names one.
  package var trouble: String?
  /// What the node is.
  package var node: NodeInfo
  /// The set that is live there.
  package var liveSet: String?
  /// The highest serial number of a rollout that the node has acted on.
  package var lastSerial = 0
  /// For how long the store has not answered.
  package var secondsWithoutStore = 0.0
  /// For how long a canary goes on without the store.
  package var mostSecondsWithoutStore = 900.0

  /// A node that knows nothing yet.
  package init(node: NodeInfo) { self.node = node }

  /// Decides where the node should be.
  /// - Parameter time: Now, in seconds since 1970.
  package func goal(at time: Int) -> NodeGoal {
    if isHalted { return .baseline }
    guard let state else { return .stay("no rollout was started") }
    let name = "rollout \(state.rollout.prefix(12))"
    guard let rollout else { return .stay(trouble ?? "\(name) is not known") }
    guard rollout.serial >= lastSerial else {
      return .stay("\(name) has serial \(rollout.serial), and this node has acted on \(lastSerial)")
    }
    guard (try? NodeSelector(rollout.selector))?.matches(node) == true else {
      return .stay("\(name) is not for this node")
    }
    switch state.phase {
    case .rollingBack, .rolledBack:
      return .previous(rollout.previous, rollout: rollout.set)
    case .rolling, .paused:
      guard rollout.includes(node.node, stage: state.stage, id: state.rollout) else {
        return .previous(rollout.previous, rollout: rollout.set)
      }
      if rollout.canaries.contains(node.node), secondsWithoutStore > mostSecondsWithoutStore {
        return .stay("the store does not answer, and a canary's trial ends without it")
      }
      return unlessExpired(rollout, name, at: time, isOnTrial: true)
    case .done:
      return unlessExpired(rollout, name, at: time, isOnTrial: false)
    }
  }

  private func unlessExpired(
    _ rollout: Rollout, _ name: String, at time: Int, isOnTrial: Bool
  ) -> NodeGoal {
    guard time < rollout.expires.secondsSince1970 || liveSet == rollout.set else {
      return .stay("\(name) expired \(rollout.expires)")
    }
    return .set(rollout.set, isOnTrial: isOnTrial)
  }
}
