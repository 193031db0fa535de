// SPDX-License-Identifier: MIT

import WaxwingControl

/// Where a node should be, by the rollouts that count. A halt comes before that.
package enum NodePlace: Hashable, Sendable {
  /// Wherever it is: only rollouts of an older version are known, and none of them is for it.
  case free
  /// A finished rollout that may be for it cannot be read.
  case unknown(rollout: String)
  /// The node belongs at baseline, because no rollout is for it.
  case baseline
  /// The node belongs at a set, because a rollout says so. While the rollout goes on, the node is
  /// on trial.
  case set(String, rollout: String, isOnTrial: Bool)
  /// Where a rollout of an older version says that its nodes were before: at a set, or at baseline.
  case before(String?)

  /// The set; nil: baseline, or it is not known.
  package var set: String? {
    switch self {
    case .set(let id, _, _): id
    case .before(let id): id
    case .free, .unknown, .baseline: nil
    }
  }

  /// Whether it is known where the node should be.
  package var isKnown: Bool {
    switch self {
    case .free, .unknown: false
    case .baseline, .set, .before: true
    }
  }
}

extension NodeReport {
  /// Whether the node is where it should be, as far as its report says.
  package func isAt(_ place: NodePlace?, isHalted: Bool) -> Bool {
    guard isConverged else { return false }
    if isHalted { return isBaseline }
    switch place {
    case nil, .free, .unknown: return true
    case .baseline, .before(nil): return isBaseline
    case .set(let id, _, _), .before(.some(let id)): return set == id
    }
  }
}

/// The rollouts that count for a fleet: those that are finished, in order, and the newest, wherever it stands. A
/// node's place is that of the last one that selects it. Nothing else decides: neither what a node has had, nor who
/// computes it.
package struct FleetPlan: Hashable, Sendable {
  /// A finished rollout.
  package struct Finished: Hashable, Sendable {
    /// The name of the rollout.
    package let id: String
    /// What was signed; nil: it cannot be read.
    package let rollout: Rollout?
    /// The nodes that the rollout is for, parsed once; nil if that cannot be read.
    private let selector: NodeSelector?

    /// Creates an entry.
    package init(id: String, rollout: Rollout?) {
      self.id = id
      self.rollout = rollout
      selector = rollout.flatMap { try? NodeSelector($0.selector) }
    }

    /// Whether the rollout is for a node.
    package func selects(_ node: NodeInfo) -> Bool { selector?.matches(node) == true }
  }

  /// Where the newest rollout stands.
  package let state: RolloutState
  /// The newest rollout.
  package let newest: Rollout
  /// The rollouts that were finished before the newest, oldest first; nil if the rollout was made
  /// by an older version that does not list them.
  package let finished: [Finished]?
  /// The nodes that the newest rollout is for, parsed once.
  private let selector: NodeSelector?

  /// Puts what was read together.
  package init(state: RolloutState, newest: Rollout, finished: [Finished]?) {
    selector = try? NodeSelector(newest.selector)
    self.state = state
    self.newest = newest
    self.finished = finished
  }

  /// Where a node should be.
  package func place(of node: NodeInfo) -> NodePlace {
    if let place = placeByNewest(node) { return place }
    guard let finished else {
      return isSelectedByNewest(node) ? .before(newest.previous) : .free
    }
    for entry in finished.reversed() {
      guard let rollout = entry.rollout else { return .unknown(rollout: entry.id) }
      if entry.selects(node) {
        return .set(rollout.set, rollout: entry.id, isOnTrial: false)
      }
    }
    return .baseline
  }

  /// Where the newest rollout wants a node; nil: it does not want it yet, or any more, or at all.
  func placeByNewest(_ node: NodeInfo) -> NodePlace? {
    guard isSelectedByNewest(node) else { return nil }
    if state.phase == .done {
      return .set(newest.set, rollout: state.rollout, isOnTrial: false)
    }
    guard state.phase.isGoingOn, newest.includes(node.node, in: state) else { return nil }
    return .set(newest.set, rollout: state.rollout, isOnTrial: true)
  }

  /// The time from which no node goes to a rollout's set any more; nil if there is no such rollout.
  func expiry(of rollout: String) -> Timestamp? {
    if rollout == state.rollout { return newest.expires }
    return finished?.first { $0.id == rollout }?.rollout?.expires
  }

  /// The finished rollouts that still decide about a node. One to the same nodes, or to all, that was finished later
  /// leaves none to those before.
  package static func withoutCovered(_ finished: [Finished]) -> [Finished] {
    finished.enumerated().filter { index, entry in
      !finished[(index + 1)...].contains { later in
        later.rollout?.selector == "all" || later.rollout?.selector == entry.rollout?.selector
      }
    }.map(\.element)
  }

  private func isSelectedByNewest(_ node: NodeInfo) -> Bool { selector?.matches(node) == true }
}
