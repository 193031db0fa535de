// SPDX-License-Identifier: MIT

/// How the nodes were when a stage of a rollout began: what the judge counts from. Kept in the store, so that
/// any controller can go on where another has stopped: as one document, or, for many nodes, in parts, as a store
/// does not take documents of any size.
package struct StageRecord: Hashable, Sendable, Codable {
  /// Some nodes of a record, as a document of its own.
  struct Part: Hashable, Sendable, Codable {
    /// The name of the rollout.
    var rollout: String
    /// The index of its stage.
    var stage: Int
    /// The nodes of the part, by name.
    var nodes: [String: NodeBaseline]
  }

  /// The number of nodes above which a record is split, and the approximate number of nodes in each
  /// part.
  static let nodesOfPart = 500
  /// The largest number of parts.
  static let mostParts = 1 << 14

  /// The name of the rollout.
  var rollout: String
  /// The index of its stage.
  var stage: Int
  /// The nodes of a stage in percent.
  var chosen: ChosenNodes?
  /// The nodes that were there when the stage began, or were seen since, by name.
  package var nodes: [String: NodeBaseline]
  /// The counts of untreated nodes before the stage, by build. The last stage leaves no untreated
  /// nodes.
  var references: [String: GroupTotals]
  /// The number of parts in which the nodes are stored; nil if they are in this document.
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

  /// Whether the record is of the stage that the state is at.
  func isOf(_ state: RolloutState) -> Bool {
    rollout == state.rollout && stage == state.stage
  }

  // MARK: Parts

  /// The documents to store: a document without nodes and the parts, or one document with all
  /// nodes.
  /// - Parameter earlier: The record that this one replaces; nil if there is none.
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
