// SPDX-License-Identifier: MIT

internal import CWaxwingRuntime

/// Tells from a function's machine code which of its arguments it uses.
package enum CodeArguments {
  /// Whether code is known to use all arguments of a layout. False if it may ignore one, or has any on the stack.
  package static func areUsed(by code: UInt, size: UInt, _ layout: CallLayout) -> Bool {
    let placements =
      layout.parameters + [layout.selfPlacement].compactMap(\.self) + layout.trailingPointers
    var wanted: UInt32 = 0
    for piece in placements.flatMap(\.pieces) {
      switch piece.bank {
      case .integer: wanted |= UInt32(WAX_RUNTIME_READ_INTEGER) << piece.index
      case .vector: wanted |= UInt32(WAX_RUNTIME_READ_VECTOR) << piece.index
      case .selfRegister: wanted |= UInt32(WAX_RUNTIME_READ_SELF)
      case .stack: return false
      }
    }
    return unsafe wax_runtime_code_reads(UnsafeRawPointer(bitPattern: code), Int(size), wanted)
      == wanted
  }

  /// Which of some integer registers for arguments code reads for sure, each a bit.
  package static func integersRead(by code: UInt, size: UInt, among wanted: UInt8) -> UInt8 {
    let first = UInt32(WAX_RUNTIME_READ_INTEGER)
    let read = unsafe wax_runtime_code_reads(
      UnsafeRawPointer(bitPattern: code), Int(size), UInt32(wanted) * first)
    return UInt8(truncatingIfNeeded: read / first) & wanted
  }

  /// The integer registers that some values have, each a bit.
  package static func integers(in placements: [CallLayout.Placement]) -> UInt8 {
    placements.flatMap(\.pieces).reduce(0) { $1.bank == .integer ? $0 | 1 << $1.index : $0 }
  }

  /// The integer registers for arguments among those that debugging information numbers, as x86_64's psABI does.
  package static func integers(describedBy registers: UInt32) -> UInt8 {
    let numbers: [UInt32] = [5, 4, 1, 2, 8, 9]  // rdi, rsi, rdx, rcx, r8, r9
    return numbers.enumerated().reduce(0) {
      registers >> $1.element & 1 != 0 ? $0 | 1 << $1.offset : $0
    }
  }
}
