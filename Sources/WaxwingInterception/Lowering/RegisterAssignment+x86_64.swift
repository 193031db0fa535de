// SPDX-License-Identifier: MIT

// swiftcc on x86_64: six integer and eight vector registers for arguments, each further part in a
// stack slot of its own; up to four and four for results. With another CPU: its own numbers here.

internal import CWaxwingRuntime

/// Hands out registers and stack slots in the order of the parameters.
struct RegisterAssignment {
  private var integers = 0
  private var vectors = 0
  private(set) var stackSlots = 0

  mutating func pass(_ shape: TypeShape, byAddress: Bool) -> CallLayout.Passing {
    guard !byAddress, let components = AggregateLowering.components(of: shape) else {
      return .indirect(next(.init(offset: 0, size: 8, kind: .pointer)))
    }
    return .direct(components.map { next($0) })
  }

  private mutating func next(_ leaf: TypeShape.Leaf) -> CallLayout.Piece {
    switch leaf.kind {
    case .float, .double, .vector:
      guard vectors < Int(WAXWING_VECTOR_ARGUMENTS) else { return slot(leaf) }
      defer { vectors += 1 }
      return .init(bank: .vector, index: vectors, offset: leaf.offset, size: leaf.size)
    case .integer, .pointer, .opaque:
      guard integers < Int(WAXWING_INTEGER_ARGUMENTS) else { return slot(leaf) }
      defer { integers += 1 }
      return .init(bank: .integer, index: integers, offset: leaf.offset, size: leaf.size)
    }
  }

  private mutating func slot(_ leaf: TypeShape.Leaf) -> CallLayout.Piece {
    defer { stackSlots += (leaf.size + 7) / 8 }
    return .init(bank: .stack, index: stackSlots, offset: leaf.offset, size: leaf.size)
  }

  /// Results start at the first register of each kind, and never go on the stack.
  static func result(_ shape: TypeShape) -> CallLayout.Passing {
    guard let components = AggregateLowering.components(of: shape) else {
      return .indirect(.init(bank: .integer, index: 0, offset: 0, size: 8))
    }
    var assignment = RegisterAssignment()
    return .direct(components.map { assignment.next($0) })
  }
}
