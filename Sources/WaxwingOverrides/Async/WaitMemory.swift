// SPDX-License-Identifier: MIT

package import CWaxwingRuntime

/// The memory of one call that is waited for: its frame, what is waited for, and room for values that do
/// not stand in the frame.
package final class WaitMemory {
  private static let header =
    (MemoryLayout<wax_runtime_frame>.stride + MemoryLayout<wax_runtime_suspension>.stride + 15) / 16
    * 16

  private let bytes: UnsafeMutableRawPointer
  package let frame: UnsafeMutablePointer<wax_runtime_frame>
  package let wait: UnsafeMutablePointer<wax_runtime_suspension>
  package let room: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - room: In bytes.
  ///   - stack: Bytes of arguments on the stack.
  package init(room size: Int, stack: Int) {
    bytes = .allocate(byteCount: Self.header + size + stack, alignment: 16)
    frame = bytes.initializeMemory(as: wax_runtime_frame.self, to: wax_runtime_frame())
    wait = (bytes + MemoryLayout<wax_runtime_frame>.stride).bindMemory(
      to: wax_runtime_suspension.self, capacity: 1)
    room = bytes + Self.header
    frame.pointee.stack = (room + size).assumingMemoryBound(to: UInt64.self)
  }

  deinit { bytes.deallocate() }
}
