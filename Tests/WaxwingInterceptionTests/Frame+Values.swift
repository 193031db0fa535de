// SPDX-License-Identifier: MIT

import CWaxwingRuntime
import WaxwingInterception

/// Values between memory and the places of a frame where a `CallLayout` says they are.
///
/// `memory` is the value itself, or a pointer to it, if the placement is indirect. A handler reads
/// arguments and writes results; a caller writes arguments and reads results.
extension FramePointer {
  func readArgument(
    _ placement: CallLayout.Placement, into memory: UnsafeMutableRawPointer
  ) {
    for piece in placement.pieces {
      (memory + piece.byteOffset).copyMemory(
        from: place(ofArgument: piece), byteCount: piece.byteCount)
    }
  }

  /// Bytes of a register that the value does not fill become zero.
  func writeArgument(_ placement: CallLayout.Placement, from memory: UnsafeRawPointer) {
    for piece in placement.pieces {
      write(piece, from: memory, to: place(ofArgument: piece))
    }
  }

  func readResult(
    _ placement: CallLayout.Placement, into memory: UnsafeMutableRawPointer
  ) {
    for piece in placement.pieces {
      (memory + piece.byteOffset).copyMemory(
        from: place(ofResult: piece), byteCount: piece.byteCount)
    }
  }

  func writeResult(_ placement: CallLayout.Placement, from memory: UnsafeRawPointer) {
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
    let base =
      piece.bank == .stack
      ? UnsafeMutableRawPointer(pointee.stack.unsafelyUnwrapped) : UnsafeMutableRawPointer(self)
    return base + Frame.offset(of: piece, isResult: false)
  }

  private func place(ofResult piece: LoweredPiece) -> UnsafeMutableRawPointer {
    precondition(
      piece.bank == .integer || piece.bank == .vector, "a result is in registers or indirect")
    return UnsafeMutableRawPointer(self) + Frame.offset(of: piece, isResult: true)
  }
}

extension Invocation {
  /// Calls `function` with what `arrange` puts into its frame, then lets `collect` read the results.
  static func perform(
    _ function: UnsafeRawPointer, stackBytes: Int, arrange: (FramePointer) -> Void,
    collect: (FramePointer) -> Void
  ) {
    withFrame(stackBytes: stackBytes) { frame, _ in
      arrange(frame)
      call(function, frame, stackBytes: stackBytes)
      collect(frame)
    }
  }
}
