// SPDX-License-Identifier: MIT

/// swiftcc on x86_64: rdi, rsi, rdx, rcx, r8, r9 and xmm0-7, then the stack; results in rax, rdx,
/// rcx, r8 and xmm0-3.
struct X86_64Convention: RegisterConvention {
  private var integers = 0
  private var vectors = 0
  private(set) var stackBytes = 0

  mutating func assignArgument(_ component: AggregateLowering.Component) -> [LoweredPiece] {
    switch component.kind {
    case .integer where component.size == 16:
      return assignWide(component)
    case .integer where integers < 6:
      defer { integers += 1 }
      return [Self.piece(component, .integer, integers)]
    case .floatingPoint where vectors < 8, .vector where vectors < 8:
      defer { vectors += 1 }
      return [Self.piece(component, .vector, vectors)]
    default:
      return [Self.piece(component, .stack, stackWord(alignment: component.size == 16 ? 16 : 8))]
    }
  }

  /// A 128-bit integer is in two registers, or as a whole on the stack; the register that was too
  /// few stays free for the next argument.
  private mutating func assignWide(_ component: AggregateLowering.Component) -> [LoweredPiece] {
    if integers + 2 <= 6 {
      defer { integers += 2 }
      return Self.halves(component, .integer, integers)
    }
    return Self.halves(component, .stack, stackWord(alignment: 16))
  }

  /// The index of the next word of the stack arguments; takes `alignment` bytes.
  private mutating func stackWord(alignment: Int) -> Int {
    let offset = stackBytes.roundedUp(to: alignment)
    stackBytes = offset + alignment
    return offset / 8
  }

  static func assignResults(_ components: [AggregateLowering.Component]) -> [LoweredPiece] {
    var integers = 0
    var vectors = 0
    return components.flatMap { component in
      switch component.kind {
      case .integer where component.size == 16:
        defer { integers += 2 }
        return halves(component, .integer, integers)
      case .integer:
        defer { integers += 1 }
        return [piece(component, .integer, integers)]
      case .floatingPoint, .vector:
        defer { vectors += 1 }
        return [piece(component, .vector, vectors)]
      }
    }
  }

  private static func piece(
    _ component: AggregateLowering.Component, _ bank: LoweredPiece.Bank, _ index: Int
  ) -> LoweredPiece {
    LoweredPiece(
      bank: bank, index: index, byteOffset: component.offset, byteCount: component.size)
  }

  private static func halves(
    _ component: AggregateLowering.Component, _ bank: LoweredPiece.Bank, _ index: Int
  ) -> [LoweredPiece] {
    (0..<2).map {
      LoweredPiece(
        bank: bank, index: index + $0, byteOffset: component.offset + 8 * $0, byteCount: 8)
    }
  }
}

// On a CPU that has no convention of its own nothing can be called, and layouts are only looked at.
typealias NativeConvention = X86_64Convention
