// SPDX-License-Identifier: MIT

package import WaxwingControl
import WaxwingPatches

/// The signed plan by which a set goes to the nodes. Never changed once it is started; its name is the hash
/// of its bytes.
package struct Rollout: Hashable, Sendable, Codable {
  /// The form of the document.
  package let format: Int
  /// Goes up with each rollout of the fleet: nodes do not go back to one with a lower number.
  package let serial: Int
  /// The set.
  package let set: String
  /// The set that nodes are at before, and come back to if the rollout is aborted; nil: baseline.
  package let previous: String?
  /// Which nodes it is for, as ``NodeSelector`` reads it.
  package let selector: String
  /// The nodes of the stage `canary`.
  package let canaries: [String]
  /// The stages, in order.
  package let stages: [RolloutStage]
  /// When a stage fails, and when there is too little to judge it by.
  package let gates: RolloutGates
  /// From when on no node goes to the set any more.
  package let expires: Timestamp
  /// When it was started.
  package let startedAt: Timestamp

  /// Creates a rollout.
  package init(
    serial: Int, set: String, previous: String?, selector: String, canaries: [String],
    stages: [RolloutStage], gates: RolloutGates = RolloutGates(), expires: Timestamp,
    startedAt: Timestamp = .now()
  ) {
    format = FleetSet.format
    self.serial = serial
    self.set = set
    self.previous = previous
    self.selector = selector
    self.canaries = canaries
    self.stages = stages
    self.gates = gates
    self.expires = expires
    self.startedAt = startedAt
  }

  /// Whether a node is one of those that have the set in a stage.
  /// - Parameters:
  ///   - stage: An index of ``stages``; higher ones are the last.
  ///   - id: The rollout's name.
  package func includes(_ node: String, stage: Int, id: String) -> Bool {
    guard stage >= 0, let current = stages.prefix(stage + 1).last else { return false }
    if canaries.contains(node), stages.contains(where: \.isCanary) { return true }
    return NodeBucket.of(node, rollout: id) < current.basisPoints
  }

  /// - Throws: ``FleetError`` `untrusted` for what its starter's tool would not have written.
  func check(id: String) throws(FleetError) {
    guard format == FleetSet.format else {
      throw FleetError(
        .untrusted,
        "rollout \(id.prefix(12)) has form \(format); this is version \(FleetSet.format)",
        remedy: "update this host's waxwing-agent and waxwing-fleet")
    }
    let points = stages.map(\.basisPoints)
    guard !stages.isEmpty, points == points.sorted(),
      points.allSatisfy({ (0...10_000).contains($0) }),
      ContentHash(set) != nil, previous.map({ ContentHash($0) != nil }) ?? true
    else {
      throw FleetError(
        .untrusted, "rollout \(id.prefix(12)) has stages that do not grow, or names what is no set",
        remedy: "start it again with `waxwing-fleet rollout start`")
    }
    _ = try NodeSelector(selector)
  }
}
