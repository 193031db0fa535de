// SPDX-License-Identifier: MIT

internal import CWaxwingRuntime
internal import WaxwingOverrides

/// A call of what is below an override, as something to wait for.
final class OriginalRun {
  private struct Memory {
    /// Of the call of `waxwing_drive`.
    var frame = waxwing_frame()
    var run = waxwing_run()
    var wait = waxwing_wait()
  }

  private let memory: UnsafeMutablePointer<Memory>

  /// - Parameters:
  ///   - layer: That of the override.
  ///   - ifInstalled: The call comes from outside any call of the override, which may have been removed.
  init(
    _ layer: OpaquePointer, _ frame: UnsafeMutablePointer<waxwing_frame>,
    ifInstalled: Bool = false
  ) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: Memory())
    waxwing_run_next(run, layer, frame, ifInstalled)
    let drive = memory.pointer(to: \.frame).unsafelyUnwrapped
    drive.pointee.integer.0 = UInt64(UInt(bitPattern: run))
    memory.pointee.wait = .call(waxwing_drive_pointer(), drive)
  }

  deinit { memory.deallocate() }

  private var run: UnsafeMutablePointer<waxwing_run> {
    memory.pointer(to: \.run).unsafelyUnwrapped
  }

  var wait: UnsafePointer<waxwing_wait> {
    UnsafePointer(memory.pointer(to: \.wait).unsafelyUnwrapped)
  }

  /// Afterwards: nothing was called.
  var wasRemoved: Bool { run.pointee.declines }
}
