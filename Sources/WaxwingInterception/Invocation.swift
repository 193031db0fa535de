// SPDX-License-Identifier: MIT

import CWaxwingRuntime

/// A call of any Swift function by its address.
package enum Invocation {
  /// Whether functions can be called and overridden on this CPU.
  package static var isSupported: Bool { wax_runtime_cpu_supported() }

  /// Calls `function` with the registers and the stack arguments of `frame`, in which its results and
  /// its error are afterwards. What the frame has for arguments stays.
  ///
  /// - Parameter stackBytes: The size of the stack arguments, in whole words.
  /// - Precondition: `isSupported`; the frame is arranged as the function's `CallLayout` says;
  ///   addresses that it holds stay valid during the call.
  @inlinable
  package static func call(
    _ function: UnsafeRawPointer?, _ frame: FramePointer, stackBytes: Int = 0
  ) {
    wax_runtime_invoke(function, frame, stackBytes)
  }

  /// Runs `body` with a frame of zeros and memory for its stack arguments.
  ///
  /// - Parameters:
  ///   - scratch: How many bytes more `body` gets, for values that do not stand in the frame.
  ///   - stackBytes: The size of the stack arguments, in whole words.
  @inlinable
  package static func withFrame(
    scratch: Int = 0, stackBytes: Int,
    _ body: (FramePointer, _ scratch: UnsafeMutableRawPointer) -> Void
  ) {
    func run(_ memory: UnsafeMutableRawBufferPointer) {
      // Never nil: there is always some memory.
      let base = memory.baseAddress.unsafelyUnwrapped
      var frame = Frame(stackArguments: base + scratch)
      withUnsafeMutablePointer(to: &frame) { body($0, base) }
    }
    // On the stack only if the compiler knows the size.
    let ordinarySize = 256
    let size = scratch + stackBytes
    if size <= ordinarySize {
      withUnsafeTemporaryAllocation(byteCount: ordinarySize, alignment: 16, run)
    } else {
      withUnsafeTemporaryAllocation(byteCount: size, alignment: 16, run)
    }
  }
}
