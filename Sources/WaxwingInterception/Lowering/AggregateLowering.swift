// SPDX-License-Identifier: MIT

/// Which registers the parts of a value travel in: clang's `SwiftAggLowering`, which the Swift
/// compiler uses for every type it can load (clang/lib/CodeGen/SwiftCallingConv.cpp, Swift 6.3).
///
/// Neighbouring parts that share an aligned 8-byte chunk are merged into one integer, unless one of
/// them is a float or a vector; opaque bytes are cut into aligned integers of 1, 2, 4 or 8 bytes.
enum AggregateLowering {
  /// The parts that are passed, in order; nil if there are more than four and the value goes by
  /// address.
  static func components(of shape: TypeShape) -> [TypeShape.Leaf]? {
    if shape.isAddressOnly { return nil }
    let components = cut(merge(shape.leaves))
    return registerCount(components) > 4 ? nil : components
  }

  private static let chunk = 8

  private static func registerCount(_ components: [TypeShape.Leaf]) -> Int {
    components.reduce(0) { count, leaf in
      switch leaf.kind {
      case .float, .double, .vector: count + 1
      default: count + (leaf.size + chunk - 1) / chunk
      }
    }
  }

  private static func isMergeable(_ kind: TypeShape.LeafKind) -> Bool {
    switch kind {
    case .float, .double, .vector: false
    case .integer, .pointer, .opaque: true
    }
  }

  /// Makes opaque what shares a chunk, and stretches the first of two to meet the next.
  private static func merge(_ leaves: [TypeShape.Leaf]) -> [TypeShape.Leaf] {
    var merged: [TypeShape.Leaf] = []
    for leaf in leaves where leaf.size > 0 {
      if let last = merged.last, (last.end - 1) / chunk == leaf.offset / chunk,
        isMergeable(last.kind), isMergeable(leaf.kind)
      {
        merged[merged.count - 1] = .init(
          offset: last.offset, size: leaf.offset - last.offset, kind: .opaque)
        merged.append(.init(offset: leaf.offset, size: leaf.size, kind: .opaque))
      } else {
        merged.append(leaf)
      }
    }
    return merged
  }

  private static func cut(_ leaves: [TypeShape.Leaf]) -> [TypeShape.Leaf] {
    var components: [TypeShape.Leaf] = []
    var index = 0
    while index < leaves.count {
      let leaf = leaves[index]
      index += 1
      guard leaf.kind == .opaque else {
        components.append(leaf)
        continue
      }
      var end = leaf.end
      while index < leaves.count, leaves[index].kind == .opaque, leaves[index].offset == end {
        end = leaves[index].end
        index += 1
      }
      appendUnits(from: leaf.offset, to: end, &components)
    }
    return components
  }

  /// One unit for each chunk that the range touches: the smallest aligned one that has its bytes.
  private static func appendUnits(
    from start: Int, to end: Int, _ components: inout [TypeShape.Leaf]
  ) {
    var begin = start
    while begin < end {
      let localEnd = min(end, begin / chunk * chunk + chunk)
      var size = 1
      while begin / size * size + size < localEnd { size *= 2 }
      components.append(.init(offset: begin / size * size, size: size, kind: .integer))
      begin = localEnd
    }
  }
}
