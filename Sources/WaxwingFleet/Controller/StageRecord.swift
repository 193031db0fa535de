// SPDX-License-Identifier: MIT

/// How the nodes were when a stage of a rollout began: what the judge counts from. Kept in the store, so that
/// any controller can go on where another has stopped: as one document, or, for many nodes, in parts, as a store
/// does not take documents of any size.
package struct StageRecord: Hashable, Sendable, Codable {
  /// Some nodes of a record, as a document of its own.
  struct Part: Hashable, Sendable, Codable {
    /// The rollout's name.
    var rollout: String
    /// The index of its stage.
    var stage: Int
    /// By name: its nodes.
    var nodes: [String: NodeBaseline]
  }

  /// With more nodes a record has parts of about so many.
  static let nodesOfPart = 500
  /// More parts there are not.
  static let mostParts = 1 << 14

  /// The rollout's name.
  var rollout: String
  /// The index of its stage.
  var stage: Int
  /// The nodes of a stage in percent.
  var chosen: ChosenNodes?
  /// By name: the nodes that were there then, or were seen since.
  package var nodes: [String: NodeBaseline]
  /// By build: what untreated nodes did before the stage, for the last stage leaves none.
  var references: [String: GroupTotals]
  /// In how many parts the nodes are stored; nil: in none, they are in this document.
  private(set) var parts: Int?
  /// Goes up with each change, so that the document is another one also if only a part is.
  private(set) var generation: Int?

  /// Creates a record.
  init(
    rollout: String, stage: Int, chosen: ChosenNodes? = nil, nodes: [String: NodeBaseline],
    references: [String: GroupTotals]
  ) {
    self.rollout = rollout
    self.stage = stage
    self.chosen = chosen
    self.nodes = nodes
    self.references = references
  }

  /// Whether it is of the stage that the state is at.
  func isOf(_ state: RolloutState) -> Bool {
    rollout == state.rollout && stage == state.stage
  }

  // MARK: Parts

  /// What is stored: a document without nodes, and the parts, or a document with all nodes, and no parts.
  /// - Parameter earlier: The record that it takes the place of; nil: there is none.
  func split(after earlier: StageRecord?) -> (document: StageRecord, parts: [Part]) {
    var document = self
    document.generation = (earlier?.generation ?? 0) &+ 1
    document.parts = nil
    let wanted = (nodes.count + Self.nodesOfPart - 1) / Self.nodesOfPart
    guard wanted > 1 else { return (document, []) }
    // A power of two, so that not each new node puts all others elsewhere.
    var count = 2
    while count < wanted { count *= 2 }
    document.parts = count
    document.nodes = [:]
    var parts = Array(
      repeating: Part(rollout: rollout, stage: stage, nodes: [:]), count: count)
    for (name, baseline) in nodes {
      parts[Int(NodeBucket.draw(name, rollout: rollout) % UInt64(count))].nodes[name] = baseline
    }
    return (document, parts)
  }

  /// The record with the nodes of its parts.
  /// - Parameter found: By number.
  /// - Returns: Nil if a part is missing, or of another stage.
  func joined(with found: [Int: Part]) -> StageRecord? {
    guard let parts else { return self }
    guard (1...Self.mostParts).contains(parts) else { return nil }
    var whole = self
    for index in 0..<parts {
      guard let part = found[index], part.rollout == rollout, part.stage == stage else {
        return nil
      }
      whole.nodes.merge(part.nodes) { first, _ in first }
    }
    return whole
  }
}
