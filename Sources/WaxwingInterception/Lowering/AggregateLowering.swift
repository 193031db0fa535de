// SPDX-License-Identifier: MIT

/// Splits a type into the scalars that travel in registers.
///
/// The same steps as clang's `SwiftAggLowering` (lib/CodeGen/SwiftCallingConv.cpp), which the Swift
/// compiler uses for every 64-bit CPU: misaligned and odd-sized scalars become opaque; neighbours
/// that are not floating point and meet in one eight-byte chunk are merged; what is opaque is cut at
/// chunk borders into the smallest units that hold it; more than four registers' worth goes
/// indirect. Overlapping leaves, which only C unions have, are not taken.
package struct AggregateLowering {
  package struct Component: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case integer, floatingPoint, vector }

    var offset: Int
    package var size: Int
    package var kind: Kind
  }

  /// The components in the order of their offsets. The last one may reach beyond the type's size.
  package let components: [Component]

  /// Whether the value travels by address, as argument and as result.
  package var isPassedIndirectly: Bool {
    components.reduce(0) { $0 + ($1.kind == .integer ? ($1.size + 7) / 8 : 1) } > 4
  }

  package init(_ shape: TypeShape) {
    var entries = shape.leaves.flatMap(Entry.legalized)
    for (first, second) in zip(entries.indices, entries.indices.dropFirst())
    where Entry.merges(entries[first], entries[second]) {
      entries[first].kind = nil
      entries[second].kind = nil
      entries[first].end = entries[second].begin
    }
    components = Self.components(of: entries)
  }

  private static let chunk = 8

  /// A scalar, or (`kind` nil) bytes of which only the range is known.
  fileprivate struct Entry {
    var begin: Int
    var end: Int
    var kind: Component.Kind?
  }

  private static func components(of entries: [Entry]) -> [Component] {
    var result: [Component] = []
    var rest = entries[...]
    while let entry = rest.popFirst() {
      if let kind = entry.kind {
        result.append(Component(offset: entry.begin, size: entry.end - entry.begin, kind: kind))
        continue
      }
      var end = entry.end
      while let next = rest.first, next.kind == nil, next.begin == end {
        end = next.end
        rest.removeFirst()
      }
      result += units(covering: entry.begin..<end)
    }
    return result
  }

  /// The registers that cover a range: for each chunk, the smallest aligned power of two that holds
  /// the chunk's part of the range.
  private static func units(covering range: Range<Int>) -> [Component] {
    var result: [Component] = []
    var begin = range.lowerBound
    while begin < range.upperBound {
      let end = min(range.upperBound, begin.roundedDown(to: chunk) + chunk)
      var size = 1
      while begin.roundedDown(to: size) + size < end { size *= 2 }
      result.append(Component(offset: begin.roundedDown(to: size), size: size, kind: .integer))
      begin = end
    }
    return result
  }
}

extension AggregateLowering.Entry {
  /// Scalars of legal size and alignment; all others as opaque bytes.
  fileprivate static func legalized(_ leaf: TypeShape.Leaf) -> [Self] {
    let end = leaf.offset + leaf.size
    let opaque = [Self(begin: leaf.offset, end: end, kind: nil)]
    let isAligned = leaf.size > 0 && leaf.offset % leaf.size == 0
    switch leaf.kind {
    case .opaque:
      return opaque
    case .integer, .pointer:
      let isLegal = [1, 2, 4, 8, 16].contains(leaf.size) && isAligned
      return isLegal ? [Self(begin: leaf.offset, end: end, kind: .integer)] : opaque
    case .float, .double:
      return isAligned ? [Self(begin: leaf.offset, end: end, kind: .floatingPoint)] : opaque
    case .vector(let element, let laneSize):
      return lanes(of: leaf, element: element, laneSize: laneSize)
    }
  }

  /// A vector of 16 bytes is legal; wider ones are cut into such, narrower ones into their lanes.
  private static func lanes(
    of leaf: TypeShape.Leaf, element: TypeShape.LaneKind, laneSize: Int
  ) -> [Self] {
    let isLegal = leaf.size % 16 == 0 && leaf.offset % 16 == 0
    let size = isLegal ? 16 : laneSize
    let scalar: TypeShape.Kind = element == .integer ? .integer : .float
    return stride(from: leaf.offset, to: leaf.offset + leaf.size, by: size).flatMap { offset in
      isLegal
        ? [Self(begin: offset, end: offset + 16, kind: .vector)]
        : legalized(TypeShape.Leaf(offset: offset, size: size, kind: scalar))
    }
  }

  fileprivate static func merges(_ first: Self, _ second: Self) -> Bool {
    let chunk = 8
    let meet = (first.end - 1).roundedDown(to: chunk) == second.begin.roundedDown(to: chunk)
    return meet && first.isMergeable && second.isMergeable
  }

  private var isMergeable: Bool { kind == nil || kind == .integer }
}
