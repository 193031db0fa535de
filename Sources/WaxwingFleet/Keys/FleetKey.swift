// SPDX-License-Identifier: MIT

/// One document of a fleet.
package enum FleetKey: Hashable, Sendable {
  /// A patch with its signature, by its hash. Created once.
  case blob(String)
  /// A signed ``FleetSet``, by its hash. Created once.
  case set(String)
  /// A signed ``Rollout``, by its hash. Created once.
  case rollout(String)
  /// The ``RolloutState``.
  case state
  /// The ``Halt``, if there is one.
  case halt
  /// The ``NodeInfo`` of a node.
  case info(String)
  /// The ``NodeReport`` of a node.
  case report(String)
  /// The ``BadSet`` of a set.
  case bad(String)
  /// The ``ControllerLead`` of the controller that leads.
  case controller
  /// The ``StageRecord`` of a rollout's current stage.
  case stage(String)
  /// A ``StageRecord/Part`` of that, by its number.
  case stagePart(String, Int)
  /// The ``StageProgress`` of the current stage.
  case progress
  /// A ``FleetLogEntry``, by time and a random number.
  case log(String)
  /// A key below the fleet's prefix that belongs to no document.
  case other(String)

  /// The path of the key after the fleet's prefix.
  package var path: String {
    switch self {
    case .blob(let hash): "blobs/\(hash)"
    case .set(let id): "sets/\(id)"
    case .rollout(let id): "rollouts/\(id)"
    case .state: "current/state"
    case .halt: "current/halt"
    case .info(let node): "nodes/\(node)/info"
    case .report(let node): "nodes/\(node)/report"
    case .bad(let id): "bad/\(id)"
    case .controller: "controller"
    case .stage(let rollout): "stages/\(rollout)"
    case .stagePart(let rollout, let number): "stages/\(rollout)/\(number)"
    case .progress: "progress"
    case .log(let name): "log/\(name)"
    case .other(let path): path
    }
  }

  init?(path: some StringProtocol) {
    let parts = String(path).split(separator: "/", omittingEmptySubsequences: false).map(
      String.init)
    switch (parts.count, parts[0]) {
    case (1, "controller"): self = .controller
    case (1, "progress"): self = .progress
    case (2, "current") where parts[1] == "state": self = .state
    case (2, "current") where parts[1] == "halt": self = .halt
    case (2, "blobs"): self = .blob(parts[1])
    case (2, "sets"): self = .set(parts[1])
    case (2, "rollouts"): self = .rollout(parts[1])
    case (2, "bad"): self = .bad(parts[1])
    case (2, "stages"): self = .stage(parts[1])
    case (2, "log"): self = .log(parts[1])
    case (3, "stages"):
      guard let number = Int(parts[2]), "\(number)" == parts[2], number >= 0 else { return nil }
      self = .stagePart(parts[1], number)
    case (3, "nodes") where parts[2] == "info": self = .info(parts[1])
    case (3, "nodes") where parts[2] == "report": self = .report(parts[1])
    default: return nil
    }
  }
}
