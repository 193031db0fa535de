// SPDX-License-Identifier: MIT

import CWaxwingRuntime

/// Counts how long the calls of one override take, and the originals that they call. Any thread.
///
/// Unchecked: the pointer is fixed, and what it points at is atomic.
package final class TimeRecorder: @unchecked Sendable {
  let pointer: OpaquePointer

  /// - Parameter threads: How many may count at once without slowing each other down, about.
  package init(threads: Int) throws(InterceptionError) {
    guard let pointer = wax_runtime_times_create(max(1, threads)) else {
      throw InterceptionError(.outOfMemory, "no memory is left to measure an override")
    }
    self.pointer = pointer
  }

  deinit { wax_runtime_times_destroy(pointer) }

  /// Calls of the override, from where they enter it until they leave it: originals and waits count.
  package var overrides: TimeCounts { counts(WAX_RUNTIME_TIMED_OVERRIDES) }

  /// Calls of the original from inside the override.
  package var originals: TimeCounts { counts(WAX_RUNTIME_TIMED_ORIGINALS) }

  private func counts(_ timed: wax_runtime_timed) -> TimeCounts {
    var counts = wax_runtime_times_counts()
    wax_runtime_times_read(pointer, timed, &counts)
    return TimeCounts(counts)
  }

  /// Notes that the override has failed, before its handler declines the call: a failed call
  /// counts, too.
  package func noteFailure() { wax_runtime_times_note_failure(pointer) }
}

extension InstalledOverride {
  /// Counts its calls there from now on, or not any more.
  /// - Parameter recorder: The owner of the layer keeps it, as long as the layer.
  package func measure(_ recorder: TimeRecorder?) {
    wax_runtime_layer_measure(pointer, recorder?.pointer)
  }
}
