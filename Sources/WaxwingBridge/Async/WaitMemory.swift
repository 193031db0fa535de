// SPDX-License-Identifier: MIT

import WaxwingInterception

/// The memory of one call that is waited for: its frame, its suspension, and room for values that
/// are not in the frame.
final class WaitMemory {
  private static let header =
    (MemoryLayout<Frame>.stride + MemoryLayout<Suspension>.stride + 15) / 16
    * 16

  private let bytes: UnsafeMutableRawPointer
  let frame: FramePointer
  let suspension: UnsafeMutablePointer<Suspension>
  let scratch: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - size: Of the scratch, in bytes.
  ///   - stack: Bytes of arguments on the stack.
  init(scratch size: Int, stack: Int) {
    bytes = .allocate(byteCount: Self.header + size + stack, alignment: 16)
    frame = bytes.initializeMemory(
      as: Frame.self, to: Frame(stackArguments: bytes + Self.header + size))
    suspension = (bytes + MemoryLayout<Frame>.stride).bindMemory(
      to: Suspension.self, capacity: 1)
    scratch = bytes + Self.header
  }

  deinit { bytes.deallocate() }
}
