// SPDX-License-Identifier: MIT

/// What the calling convention needs to know of a type: where its parts lie in memory and which
/// kind of register each may travel in.
package struct TypeShape: Hashable, Sendable {
  /// What a part of a value is.
  package enum LeafKind: Hashable, Sendable {
    case integer
    case pointer
    case float
    case double
    case vector
    /// Bytes that only the type itself understands, such as an enum's payload.
    case opaque
  }

  /// A part of a value.
  package struct Leaf: Hashable, Sendable {
    /// Bytes from the start of the value.
    package let offset: Int
    /// Bytes.
    package let size: Int
    package let kind: LeafKind

    package init(offset: Int, size: Int, kind: LeafKind) {
      self.offset = offset
      self.size = size
      self.kind = kind
    }

    var end: Int { offset + size }
  }

  /// Bytes.
  package let size: Int
  /// Bytes.
  package let alignment: Int
  /// In order of offset, not overlapping.
  package let leaves: [Leaf]
  /// Values are always passed by address: their size is not known to callers, or they cannot be
  /// moved by copying their bytes.
  package let isAddressOnly: Bool

  package init(size: Int, alignment: Int, leaves: [Leaf], isAddressOnly: Bool = false) {
    self.size = size
    self.alignment = alignment
    self.leaves = leaves
    self.isAddressOnly = isAddressOnly
  }

  /// A single pointer.
  package static let pointer = TypeShape(
    size: 8, alignment: 8, leaves: [Leaf(offset: 0, size: 8, kind: .pointer)])
  /// No bytes at all.
  package static let empty = TypeShape(size: 0, alignment: 1, leaves: [])
}
