// SPDX-License-Identifier: MIT

import CWaxwingRuntime

/// A call of the original of an async function, which is the code below a layer, as something to wait for.
package final class AwaitedOriginal {
  private struct Memory {
    /// The frame of the call of `wax_runtime_drive`.
    var frame = wax_runtime_frame()
    var asyncCall = wax_runtime_async_call()
    var suspension = wax_runtime_suspension()
  }

  private let memory: UnsafeMutablePointer<Memory>

  /// - Parameters:
  ///   - layer: That of the override.
  ///   - frame: Arranged for the call; its results and error are there afterwards.
  ///   - outer: The record of the override's call, if it is called from one.
  ///   - ifInstalled: The call comes from outside any call of the override, which may have been removed.
  package init(
    _ layer: InstalledOverride.Reference, _ frame: FramePointer, in outer: UnsafeRawPointer?,
    ifInstalled: Bool = false
  ) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: Memory())
    wax_runtime_call_next_async(asyncCall, layer.pointer, frame, ifInstalled)
    asyncCall.pointee.outer = outer
    let drive = memory.pointer(to: \.frame).unsafelyUnwrapped
    drive.pointee.integer.0 = UInt64(UInt(bitPattern: asyncCall))
    memory.pointee.suspension = .call(wax_runtime_drive_pointer(), drive)
  }

  deinit { memory.deallocate() }

  private var asyncCall: UnsafeMutablePointer<wax_runtime_async_call> {
    memory.pointer(to: \.asyncCall).unsafelyUnwrapped
  }

  /// The suspension to wait for. It lives as long as this object.
  package var suspension: UnsafePointer<Suspension> {
    UnsafePointer(memory.pointer(to: \.suspension).unsafelyUnwrapped)
  }

  /// Whether nothing was called because the layer had been removed. Known after the call.
  package var wasRemoved: Bool { asyncCall.pointee.declines }
}
