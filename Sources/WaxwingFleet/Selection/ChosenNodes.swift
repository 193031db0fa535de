// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The nodes that a stage in percent means, by name and no others: six bytes of each name's hash, in order. A node
/// that joins during the stage is not among them, so that the share stays a bound.
package struct ChosenNodes: Hashable, Sendable, Codable {
  private static let width = 6

  private var bytes: Data

  /// Chooses these nodes, for one rollout.
  package init(_ names: some Sequence<String>, rollout: String) {
    bytes = Data()
    for number in Set(names.map { Self.number($0, rollout) }).sorted() {
      for place in (0..<Self.width).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: number >> (place * 8)))
      }
    }
  }

  /// Takes what a document has: text in Base64.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let read = try container.decode(Data.self)
    guard read.count.isMultiple(of: Self.width) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "the chosen nodes are cut off")
    }
    // Without what stands before it.
    bytes = Data(read)
  }

  /// Writes text in Base64.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(bytes)
  }

  /// How many they are.
  package var count: Int { bytes.count / Self.width }

  /// Whether a node is one of them.
  package func contains(_ node: String, rollout: String) -> Bool {
    let wanted = Self.number(node, rollout)
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      let found = number(at: middle)
      if found == wanted { return true }
      if found < wanted { low = middle + 1 } else { high = middle }
    }
    return false
  }

  private func number(at index: Int) -> UInt64 {
    let start = bytes.startIndex + index * Self.width
    return bytes[start..<start + Self.width].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func number(_ node: String, _ rollout: String) -> UInt64 {
    NodeBucket.draw(node, rollout: rollout) >> 16
  }
}
