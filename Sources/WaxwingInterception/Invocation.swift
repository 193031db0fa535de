// SPDX-License-Identifier: MIT

package import CWaxwingRuntime

/// A call of any Swift function by address.
package enum Invocation {
  /// Calls `function` with what `arrange` puts into a zeroed frame and its stack arguments, then
  /// lets `collect` read the results. An error that the function threw is in the frame, owned by
  /// whoever reads it; otherwise `error` is 0.
  ///
  /// - Precondition: `wax_runtime_cpu_supported()`; the frame is arranged as the function's
  ///   `CallLayout` says; addresses that it holds stay valid during the call.
  package static func perform<Result, Failure: Error>(
    _ function: UnsafeRawPointer, stackBytes: Int,
    arrange: (UnsafeMutablePointer<wax_runtime_frame>) throws(Failure) -> Void,
    collect: (UnsafeMutablePointer<wax_runtime_frame>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(stackBytes >= 0 && stackBytes % 8 == 0, "stack arguments are whole words")
    return try withUnsafeTemporaryAllocation(
      byteCount: Int(WAX_RUNTIME_FRAME_SIZE) + stackBytes, alignment: 16
    ) { (memory) throws(Failure) in
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      // The allocation is not empty, so its base is not nil.
      let base = memory.baseAddress.unsafelyUnwrapped
      let frame = base.bindMemory(to: wax_runtime_frame.self, capacity: 1)
      frame.pointee.stack = (base + Int(WAX_RUNTIME_FRAME_SIZE))
        .bindMemory(to: UInt64.self, capacity: stackBytes / 8)
      try arrange(frame)
      wax_runtime_invoke(function, frame, stackBytes)
      return try collect(frame)
    }
  }
}
