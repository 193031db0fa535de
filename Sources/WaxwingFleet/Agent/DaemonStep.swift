// SPDX-License-Identifier: MIT

package import WaxwingSystem

/// What an agent knows of a daemon because it has done it.
package struct DaemonMemory: Hashable, Sendable {
  /// The process id of the daemon.
  var pid: Int32
  /// ``ObservedDaemon/current`` at that time.
  var current: String?
  /// The set that was applied.
  var set: String
  /// Whether the set is on trial.
  var isOnTrial: Bool
  /// The time at which the trial has to be renewed.
  var renewAt: Deadline

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
  func isStillTrue(of daemon: ObservedDaemon) -> Bool {
    pid == daemon.pid && current != nil && current == daemon.current
  }
}

/// The next thing to do to a daemon.
package enum DaemonStep: Hashable, Sendable {
  /// The daemon is where it should be.
  case nothing
  /// Make a set live, in place of all that is: on trial, or kept.
  case apply(String, isOnTrial: Bool)
  /// Let the trial of a set end now, so that the engine itself brings back what was there before.
  case endTrial(String)
  /// The daemon has to go back to baseline.
  case restore
}

extension ObservedDaemon {
  /// The set that the daemon is at: what the agent has put there, or the first of these whose patches are live; nil:
  /// neither.
  package func set(_ memory: DaemonMemory?, among sets: [(id: String, set: FleetSet)]) -> String? {
    if let memory, memory.isStillTrue(of: self) { return memory.set }
    return sets.first { matches($0.set) }?.id
  }
}

extension NodeGoal {
  /// What to do to a daemon next.
  /// - Parameters:
  ///   - memory: What is known of it; nil: nothing.
  ///   - wanted: The description of the ``destination``; nil: there is none, or it is not known.
  ///   - tried: The description of the rollout's set, if the goal names one.
  package func step(
    for daemon: ObservedDaemon, _ memory: DaemonMemory?, wanted: FleetSet? = nil,
    tried: FleetSet? = nil
  ) -> DaemonStep {
    let known = memory.flatMap { $0.isStillTrue(of: daemon) ? $0 : nil }
    func isAt(_ id: String) -> Bool {
      if let known { return known.set == id }
      return wanted.map(daemon.matches) ?? false
    }
    switch self {
    case .stay, .free: return .nothing
    case .baseline: return daemon.isAtBaseline ? .nothing : .restore
    case .set(let id, let wantsTrial):
      guard isAt(id) else { return .apply(id, isOnTrial: wantsTrial) }
      // What is kept already stays kept; a trial goes on as long as its time begins anew.
      let isRenewed = known.map { !$0.renewAt.isPast } ?? false
      if daemon.isOnTrial || known?.isOnTrial == true, !wantsTrial || !isRenewed {
        return .apply(id, isOnTrial: wantsTrial)
      }
      return .nothing
    case .previous(let id, let rollout):
      if id != rollout, daemon.isOnTrial, let tried, daemon.matches(tried) {
        return .endTrial(rollout)
      }
      guard let id else { return daemon.isAtBaseline ? .nothing : .restore }
      // What the engine has brought back has a lower serial number than what was on trial, and could not
      // be applied anew.
      if isAt(id) || wanted.map(daemon.matches) == true {
        return daemon.isOnTrial ? .apply(id, isOnTrial: false) : .nothing
      }
      return .apply(id, isOnTrial: false)
    }
  }

  /// The set that the node is at when nothing is left to do; nil: none.
  var destination: String? {
    switch self {
    case .set(let id, _): id
    case .previous(let id, _): id
    case .stay, .free, .baseline: nil
    }
  }
}
