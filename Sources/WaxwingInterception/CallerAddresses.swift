// SPDX-License-Identifier: MIT

internal import CWaxwingProcess

/// Finds where a call that has come through a stub was made.
package enum CallerAddresses {
  /// The addresses of the calls on this thread's stack, for a function that is not async, innermost
  /// first. The thread is in the call.
  package static func onStack(of frame: FramePointer, atMost most: Int) -> [UInt] {
    guard most > 0, let arguments = frame.pointee.stackArguments else { return [] }
    // The stub's frame ends below its stack arguments, with the address that it returns to.
    let caller = UInt(arguments[-1])
    guard caller != 0 else { return [] }
    let scratch = most + deepest
    let found = withUnsafeTemporaryAllocation(of: UInt.self, capacity: scratch) {
      buffer -> [UInt] in
      let count = wax_process_return_addresses(buffer.baseAddress, Int32(scratch))
      let all = buffer.prefix(Int(count))
      guard let first = all.firstIndex(of: caller) else { return [] }
      // In the call, not behind it; a stack may end with an address that is none.
      return all[first...].prefix(most).prefix { $0 != 0 }.map { $0 - 1 }
    }
    return found.isEmpty ? [caller - 1] : found
  }

  /// Frames of the engine's and of Lua's that are on the stack above the call, at most.
  private static let deepest = 256

  /// The addresses at which an async function and its callers go on when they return, innermost
  /// first. They do not go on while this runs.
  package static func awaiting(_ frame: FramePointer, atMost most: Int) -> [UInt] {
    var addresses: [UInt] = []
    // A context begins with that of the caller, and the code with which the caller goes on.
    var context = UnsafePointer<UInt>(bitPattern: UInt(frame.pointee.asyncContext))
    while let current = context, addresses.count < most, current[1] != 0 {
      addresses.append(current[1])
      context = UnsafePointer(bitPattern: current[0])
    }
    return addresses
  }
}
