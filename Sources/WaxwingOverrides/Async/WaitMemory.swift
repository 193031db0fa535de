// SPDX-License-Identifier: MIT

package import CWaxwingRuntime

/// The memory of one call that is waited for: its frame, what is waited for, and room for values that do
/// not stand in the frame.
package final class WaitMemory {
  private static let header =
    (MemoryLayout<waxwing_frame>.stride + MemoryLayout<waxwing_wait>.stride + 15) / 16 * 16

  private let bytes: UnsafeMutableRawPointer
  package let frame: UnsafeMutablePointer<waxwing_frame>
  package let wait: UnsafeMutablePointer<waxwing_wait>
  package let room: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - room: In bytes.
  ///   - stack: Bytes of arguments on the stack.
  package init(room size: Int, stack: Int) {
    bytes = .allocate(byteCount: Self.header + size + stack, alignment: 16)
    frame = bytes.initializeMemory(as: waxwing_frame.self, to: waxwing_frame())
    wait = (bytes + MemoryLayout<waxwing_frame>.stride).bindMemory(
      to: waxwing_wait.self, capacity: 1)
    room = bytes + Self.header
    frame.pointee.stack = (room + size).assumingMemoryBound(to: UInt64.self)
  }

  deinit { bytes.deallocate() }
}
