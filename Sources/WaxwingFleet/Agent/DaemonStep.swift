// SPDX-License-Identifier: MIT

package import WaxwingSystem

/// What an agent knows of a daemon because it has done it.
package struct DaemonMemory: Hashable, Sendable {
  /// The process.
  package var pid: Int32
  /// ``DaemonSight/current`` then.
  package var current: String?
  /// The set that was applied.
  package var set: String
  /// Whether it is on trial.
  package var isOnTrial: Bool
  /// When the trial's time has to begin anew.
  package var renewAt: Deadline

  /// Creates a memory.
  package init(
    pid: Int32, current: String?, set: String, isOnTrial: Bool, renewAt: Deadline
  ) {
    self.pid = pid
    self.current = current
    self.set = set
    self.isOnTrial = isOnTrial
    self.renewAt = renewAt
  }

  /// Whether nothing has changed in the daemon since then.
  func isStillTrue(of daemon: DaemonSight) -> Bool {
    pid == daemon.pid && current != nil && current == daemon.current
  }
}

/// The next thing to do to a daemon.
package enum DaemonStep: Hashable, Sendable {
  /// It is where it should be.
  case nothing
  /// Make a set live, in place of all that is: on trial, or kept.
  case apply(String, isOnTrial: Bool)
  /// Let the trial of a set end now, so that the engine itself brings back what was there before.
  case endTrial(String)
  /// Back to baseline.
  case restore
}

extension NodeGoal {
  /// What to do to a daemon next.
  /// - Parameters:
  ///   - memory: What is known of it; nil: nothing.
  ///   - previous: The description of the set before, if the goal names one.
  ///   - tried: The description of the rollout's set, if the goal names one.
  package func step(
    for daemon: DaemonSight, _ memory: DaemonMemory?, previous: FleetSet? = nil,
    tried: FleetSet? = nil
  ) -> DaemonStep {
    let known = memory.flatMap { $0.isStillTrue(of: daemon) ? $0 : nil }
    switch self {
    case .stay: return .nothing
    case .baseline: return daemon.isAtBaseline ? .nothing : .restore
    case .set(let id, let wantsTrial):
      guard let known, known.set == id else { return .apply(id, isOnTrial: wantsTrial) }
      // What is kept already stays kept; a trial goes on as long as its time begins anew.
      if known.isOnTrial, !wantsTrial || known.renewAt.isPast {
        return .apply(id, isOnTrial: wantsTrial)
      }
      return .nothing
    case .previous(let id, let rollout):
      if daemon.isOnTrial, let tried, daemon.matches(tried) { return .endTrial(rollout) }
      guard let id else { return daemon.isAtBaseline ? .nothing : .restore }
      if let known, known.set == id { return .nothing }
      // What the engine has brought back has a lower serial number than what was on trial, and could not
      // be applied anew.
      if let previous, daemon.matches(previous) { return .nothing }
      return .apply(id, isOnTrial: false)
    }
  }

  /// The set that the node is at when nothing is left to do; nil: none.
  package var destination: String? {
    switch self {
    case .set(let id, _): id
    case .previous(let id, _): id
    case .stay, .baseline: nil
    }
  }
}
