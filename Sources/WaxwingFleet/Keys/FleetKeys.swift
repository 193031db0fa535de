// SPDX-License-Identifier: MIT

/// Where the documents of one fleet are: `/waxwing/v1/FLEET/…`.
package struct FleetKeys: Hashable, Sendable {
  /// The name of the fleet.
  package let fleet: String

  /// What all its keys begin with.
  package let prefix: String

  private static let nameLimit = 64

  /// - Throws: ``FleetError`` `invalid` for a name that is not one.
  package init(fleet: String) throws(FleetError) {
    guard Self.isName(fleet) else {
      throw FleetError(
        .invalid, "'\(fleet)' is not a fleet's name",
        remedy:
          "use at most \(Self.nameLimit) letters, digits, '.', '-' and '_', a letter or digit first"
      )
    }
    self.fleet = fleet
    prefix = "/waxwing/v1/\(fleet)/"
  }

  /// Whether a text can be the name of a fleet or a node.
  package static func isName(_ text: String) -> Bool {
    func isWord(_ byte: UInt8) -> Bool {
      (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
    }
    guard let first = text.utf8.first, isWord(first), text.utf8.count <= nameLimit else {
      return false
    }
    return text.utf8.allSatisfy { isWord($0) || $0 == 0x2d || $0 == 0x2e || $0 == 0x5f }
  }

  /// The key of a document.
  package func key(_ key: FleetKey) -> String { prefix + key.path }

  /// The document that a key belongs to; nil if it is none of this fleet's.
  package func document(at key: String) -> FleetKey? {
    guard key.hasPrefix(prefix) else { return nil }
    return FleetKey(path: key.dropFirst(prefix.count))
  }

  /// What agents watch: the state and the halt, and nothing that changes more often.
  package var current: String { prefix(of: "current") }

  /// What the keys of all documents of one kind begin with.
  package func prefix(of kind: String) -> String { prefix + kind + "/" }
}
