// SPDX-License-Identifier: MIT

package import WaxwingInterception

/// The memory of one call that is waited for: its frame, what is waited for, and room for values that do
/// not stand in the frame.
package final class WaitMemory {
  private static let header =
    (MemoryLayout<Frame>.stride + MemoryLayout<Suspension>.stride + 15) / 16
    * 16

  private let bytes: UnsafeMutableRawPointer
  package let frame: FramePointer
  package let wait: UnsafeMutablePointer<Suspension>
  package let room: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - room: In bytes.
  ///   - stack: Bytes of arguments on the stack.
  package init(room size: Int, stack: Int) {
    bytes = .allocate(byteCount: Self.header + size + stack, alignment: 16)
    frame = bytes.initializeMemory(
      as: Frame.self, to: Frame(stackArguments: bytes + Self.header + size))
    wait = (bytes + MemoryLayout<Frame>.stride).bindMemory(
      to: Suspension.self, capacity: 1)
    room = bytes + Self.header
  }

  deinit { bytes.deallocate() }
}
