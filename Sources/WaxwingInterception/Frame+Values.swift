// SPDX-License-Identifier: MIT

import CWaxwingRuntime

/// Values between memory and the places of a frame where a `CallLayout` says they are.
///
/// `memory` is the value itself, or a pointer to it, if the placement is indirect. A handler reads
/// arguments and writes results; a caller writes arguments and reads results.
extension UnsafeMutablePointer<wax_runtime_frame> {
  package func readArgument(
    _ placement: CallLayout.Placement, into memory: UnsafeMutableRawPointer
  ) {
    for piece in placement.pieces {
      (memory + piece.byteOffset).copyMemory(
        from: place(ofArgument: piece), byteCount: piece.byteCount)
    }
  }

  /// Bytes of a register that the value does not fill become zero.
  package func writeArgument(_ placement: CallLayout.Placement, from memory: UnsafeRawPointer) {
    for piece in placement.pieces {
      write(piece, from: memory, to: place(ofArgument: piece))
    }
  }

  package func readResult(
    _ placement: CallLayout.Placement, into memory: UnsafeMutableRawPointer
  ) {
    for piece in placement.pieces {
      (memory + piece.byteOffset).copyMemory(
        from: place(ofResult: piece), byteCount: piece.byteCount)
    }
  }

  package func writeResult(_ placement: CallLayout.Placement, from memory: UnsafeRawPointer) {
    for piece in placement.pieces {
      write(piece, from: memory, to: place(ofResult: piece))
    }
  }

  private func write(
    _ piece: LoweredPiece, from memory: UnsafeRawPointer, to place: UnsafeMutableRawPointer
  ) {
    let width = piece.bank == .vector || piece.byteCount > 8 ? 16 : 8
    if piece.byteCount < width {
      place.initializeMemory(as: UInt8.self, repeating: 0, count: width)
    }
    place.copyMemory(from: memory + piece.byteOffset, byteCount: piece.byteCount)
  }

  private func place(ofArgument piece: LoweredPiece) -> UnsafeMutableRawPointer {
    let frame = UnsafeMutableRawPointer(self)
    switch piece.bank {
    case .integer: return frame + Int(WAX_RUNTIME_FRAME_INTEGER) + 8 * piece.index
    case .vector: return frame + Int(WAX_RUNTIME_FRAME_VECTOR) + 16 * piece.index
    case .context: return frame + Int(WAX_RUNTIME_FRAME_SELF)
    case .stack: return UnsafeMutableRawPointer(pointee.stack + piece.index)
    }
  }

  private func place(ofResult piece: LoweredPiece) -> UnsafeMutableRawPointer {
    let frame = UnsafeMutableRawPointer(self)
    switch piece.bank {
    case .integer: return frame + Int(WAX_RUNTIME_FRAME_INTEGER_RESULT) + 8 * piece.index
    case .vector: return frame + Int(WAX_RUNTIME_FRAME_VECTOR_RESULT) + 16 * piece.index
    case .context, .stack: preconditionFailure("a result is in registers or indirect")
    }
  }
}
