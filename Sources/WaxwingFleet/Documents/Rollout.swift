// SPDX-License-Identifier: MIT

package import WaxwingControl
import WaxwingPatches

/// The signed plan by which a set goes to the nodes. Never changed once it is started; its name is the hash
/// of its bytes.
package struct Rollout: Hashable, Sendable, Codable {
  /// The newest form of rollouts that this code knows. In form 1 they have ``previous`` and no ``base``, and shares
  /// are those of hashes.
  static let newestFormat = 2
  /// The most finished rollouts that one is based on.
  package static let baseLimit = 64

  /// The form of the document.
  let format: Int
  /// Goes up with each rollout of the fleet: nodes do not go back to one with a lower number.
  package let serial: Int
  /// The name of the set.
  package let set: String
  /// In form 1, the set that nodes have before the rollout, and return to if it is aborted; nil for
  /// baseline.
  let previous: String?
  /// The finished rollouts that count, the oldest first: where they say, nodes are before, and come back to. Nil in
  /// form 1.
  package let base: [String]?
  /// The nodes that the rollout is for, as ``NodeSelector`` reads it.
  package let selector: String
  /// The nodes of the stage `canary`.
  package let canaries: [String]
  /// The stages, in order.
  package let stages: [RolloutStage]
  /// The limits beyond which a stage fails, and what is needed to judge it.
  let gates: RolloutGates
  /// The time from which no node goes to the set any more.
  package let expires: Timestamp
  /// The time at which the rollout was started.
  package let startedAt: Timestamp

  /// Creates a rollout.
  /// - Parameter base: nil: of form 1.
  package init(
    serial: Int, set: String, previous: String? = nil, base: [String]? = nil, selector: String,
    canaries: [String],
    stages: [RolloutStage], gates: RolloutGates = RolloutGates(), expires: Timestamp,
    startedAt: Timestamp = .now()
  ) {
    format = base == nil ? 1 : Self.newestFormat
    self.base = base
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

  /// Whether a node is one of those that have the set in the stage that the state is at. A stage that is not there
  /// is the last.
  package func includes(_ node: String, in state: RolloutState) -> Bool {
    guard state.stage >= 0, let last = stages.last else { return false }
    let current = stages.indices.contains(state.stage) ? stages[state.stage] : last
    if fixedCanaries.contains(node) { return true }
    if current.isCanary || current.isEverybody { return current.isEverybody }
    if let chosen = state.chosen { return chosen.contains(node, rollout: state.rollout) }
    return format == 1 && NodeBucket.of(node, rollout: state.rollout) < current.basisPoints
  }

  /// The nodes of a stage in percent: those that had the set before, and as many more as the share allows, rounded
  /// down. Canaries count, also those that are not there now. Nil: the stage is not one in percent.
  /// - Parameters:
  ///   - id: The rollout's name.
  ///   - nodes: Those that the rollout selects, and that are there.
  ///   - before: Who was chosen in the stage before.
  package func choice(
    of stage: Int, id: String, among nodes: [String], before: ChosenNodes?
  ) -> ChosenNodes? {
    guard stages.indices.contains(stage), !stages[stage].isCanary, !stages[stage].isEverybody else {
      return nil
    }
    let canaries = Set(fixedCanaries)
    let others = Set(nodes).subtracting(canaries)
    let old = others.filter { before?.contains($0, rollout: id) == true }
    let most = nodes.count * stages[stage].basisPoints / 10_000 - canaries.count - old.count
    let new = others.subtracting(old)
      .map { (number: NodeBucket.draw($0, rollout: id), name: $0) }
      .sorted { $0 < $1 }.prefix(max(0, most))
    return ChosenNodes(old.union(new.map(\.name)), rollout: id)
  }

  /// How many nodes each stage means, as long as no node comes or goes.
  package func counts(id: String, among nodes: [String]) -> [Int] {
    var chosen: ChosenNodes?
    return stages.indices.map { stage in
      chosen = choice(of: stage, id: id, among: nodes, before: chosen) ?? chosen
      if stages[stage].isEverybody { return nodes.count }
      return fixedCanaries.count + (stages[stage].isCanary ? 0 : chosen?.count ?? 0)
    }
  }

  /// The canaries, if there is a stage for them.
  private var fixedCanaries: [String] { stages.contains(where: \.isCanary) ? canaries : [] }

  /// - Throws: ``FleetError`` `untrusted` for what its starter's tool would not have written.
  func check(id: String) throws(FleetError) {
    guard (1...Self.newestFormat).contains(format), (base == nil) == (format == 1) else {
      throw FleetError(
        .untrusted,
        "rollout \(id.prefix(12)) has form \(format), and this program knows up to \(Self.newestFormat)",
        remedy: "update this host's waxwing-agent and waxwing-fleet")
    }
    let points = stages.map(\.basisPoints)
    guard !stages.isEmpty, points == points.sorted(),
      points.allSatisfy({ (0...10_000).contains($0) }), (0..<1 << 53).contains(serial),
      ContentHash(set) != nil, previous.map({ ContentHash($0) != nil }) ?? true,
      (base ?? []).allSatisfy({ ContentHash($0) != nil }), (base ?? []).count <= Self.baseLimit
    else {
      throw FleetError(
        .untrusted, "rollout \(id.prefix(12)) has stages that do not grow, or names what is no set",
        remedy: "start it again with `waxwing-fleet rollout start`")
    }
    _ = try NodeSelector(selector)
  }
}
