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
}
