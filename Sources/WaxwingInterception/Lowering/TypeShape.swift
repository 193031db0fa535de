// SPDX-License-Identifier: MIT

/// The facts about a loadable type that the calling convention needs: the places of its scalars.
///
/// Leaves are the scalars of a struct's or tuple's fields, in the order of their offsets. An enum
/// with payloads or an optional is its payload as integers, eight bytes each and the rest of its
/// bytes as one, whatever the payload's own scalars are (`Double?` is an integer and a tag), and
/// after that its extra tag, if it has one, as an integer. Measured with Swift 6.3.1; the rules are
/// those of `addToAggLowering` in the compiler's lib/IRGen.
package struct TypeShape: Hashable, Sendable {
  package struct Leaf: Hashable, Sendable {
    package var offset: Int
    package var size: Int
    package var kind: Kind

    package init(offset: Int, size: Int, kind: Kind) {
      self.offset = offset
      self.size = size
      self.kind = kind
    }
  }

  package enum Kind: Hashable, Sendable {
    /// 1, 2, 4, 8 or 16 bytes; any other size counts as opaque.
    case integer
    case pointer
    /// A floating-point number, including `Float16` with two bytes.
    case float
    case double
    /// A SIMD value, whole: `SIMD3<Float>` has 16 bytes. `element` is the kind of one lane.
    case vector(element: LaneKind, laneSize: Int)
    case opaque
  }

  package enum LaneKind: Hashable, Sendable {
    case integer
    case floatingPoint
  }

  package var size: Int
  package var alignment: Int
  package var leaves: [Leaf]

  package init(size: Int, alignment: Int, leaves: [Leaf]) {
    self.size = size
    self.alignment = alignment
    self.leaves = leaves
  }
}

extension TypeShape {
  /// `Void`, an empty struct, an enum of one case.
  package static let empty = TypeShape(size: 0, alignment: 1, leaves: [])

  /// A class reference, a thick metatype of a class, the address of an `inout` argument.
  package static let pointer = TypeShape(scalar: .pointer, size: 8)
  package static let float = TypeShape(scalar: .float, size: 4)
  package static let double = TypeShape(scalar: .double, size: 8)

  /// An integer or a `Bool`, an enum without payloads.
  package static func integer(size: Int) -> TypeShape {
    TypeShape(scalar: .integer, size: size)
  }

  /// The payload of an enum as the compiler passes it, followed by an extra tag if there is one.
  package static func payload(size: Int, tagSize: Int, alignment: Int) -> TypeShape {
    var leaves: [Leaf] = []
    var offset = 0
    while offset < size {
      let word = min(8, size - offset)
      leaves.append(Leaf(offset: offset, size: word, kind: .integer))
      offset += word
    }
    if tagSize > 0 { leaves.append(Leaf(offset: size, size: tagSize, kind: .integer)) }
    return TypeShape(size: size + tagSize, alignment: alignment, leaves: leaves)
  }

  /// A struct or tuple of these fields, laid out as Swift lays them out.
  package static func fields(_ fields: [TypeShape]) -> TypeShape {
    var shape = empty
    for field in fields {
      let offset = shape.size.roundedUp(to: field.alignment)
      shape.leaves += field.leaves.map {
        Leaf(offset: offset + $0.offset, size: $0.size, kind: $0.kind)
      }
      shape.size = offset + field.size
      shape.alignment = max(shape.alignment, field.alignment)
    }
    return shape
  }

  private init(scalar kind: Kind, size: Int) {
    self.init(
      size: size, alignment: size,
      leaves: size == 0 ? [] : [Leaf(offset: 0, size: size, kind: kind)])
  }
}

extension Int {
  func roundedDown(to unit: Int) -> Int { self / unit * unit }
  func roundedUp(to unit: Int) -> Int { (self + unit - 1) / unit * unit }
}
