// SPDX-License-Identifier: MIT

internal import Synchronization
package import WaxwingInterception

extension Override {
  /// Whether its calls are measured, and what that has given.
  struct MeasuredTimes {
    /// Made when it is needed.
    var recorder: TimeRecorder?
    var isOn = false
  }

  /// Lets its calls be measured from here on, or not; the layers have to be told.
  package func setMeasured(_ isOn: Bool) throws(InterceptionError) {
    try measuring.withLock { (measuring) throws(InterceptionError) in
      if isOn, measuring.recorder == nil {
        measuring.recorder = try TimeRecorder(threads: (replicas?.others.count ?? 0) + 1)
      }
      measuring.isOn = isOn
    }
  }

  /// Where the calls of a layer are to be counted; nil: nowhere.
  package var activeRecorder: TimeRecorder? {
    measuring.withLock { $0.isOn ? $0.recorder : nil }
  }

  /// What has been counted so far; nil: it was never measured.
  package var recorder: TimeRecorder? { measuring.withLock { $0.recorder } }
}
