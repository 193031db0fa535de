// SPDX-License-Identifier: MIT

internal import CWaxwingRuntime
internal import WaxwingOverrides

/// A call of what is below an override, as something to wait for.
final class OriginalRun {
  private struct Memory {
    /// Of the call of `wax_runtime_drive`.
    var frame = wax_runtime_frame()
    var run = wax_runtime_async_call()
    var wait = wax_runtime_suspension()
  }

  private let memory: UnsafeMutablePointer<Memory>

  /// - Parameters:
  ///   - layer: That of the override.
  ///   - ifInstalled: The call comes from outside any call of the override, which may have been removed.
  init(
    _ layer: OpaquePointer, _ frame: UnsafeMutablePointer<wax_runtime_frame>,
    ifInstalled: Bool = false
  ) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: Memory())
    wax_runtime_call_next_async(run, layer, frame, ifInstalled)
    let drive = memory.pointer(to: \.frame).unsafelyUnwrapped
    drive.pointee.integer.0 = UInt64(UInt(bitPattern: run))
    memory.pointee.wait = .call(wax_runtime_drive_pointer(), drive)
  }

  deinit { memory.deallocate() }

  private var run: UnsafeMutablePointer<wax_runtime_async_call> {
    memory.pointer(to: \.run).unsafelyUnwrapped
  }

  var wait: UnsafePointer<wax_runtime_suspension> {
    UnsafePointer(memory.pointer(to: \.wait).unsafelyUnwrapped)
  }

  /// Afterwards: nothing was called.
  var wasRemoved: Bool { run.pointee.declines }
}
