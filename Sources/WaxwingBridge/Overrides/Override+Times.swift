// SPDX-License-Identifier: MIT

internal import Synchronization
package import WaxwingInterception

extension Override {
  /// Lets its calls be measured from here on, or not; the layers have to be told.
  package func setMeasured(_ isOn: Bool) throws(InterceptionError) {
    try history.measuring.withLock { (measuring) throws(InterceptionError) in
      if isOn, measuring.recorder == nil {
        measuring.recorder = try TimeRecorder(threads: (replicas?.others.count ?? 0) + 1)
      }
      measuring.isOn = isOn
    }
  }

  /// Where the calls of a layer are to be counted; nil: nowhere.
  package var activeRecorder: TimeRecorder? {
    pastHistory?.measuring.withLock { $0.isOn ? $0.recorder : nil }
  }

  /// The times that were counted so far; nil if the override was never measured.
  package var recorder: TimeRecorder? { pastHistory?.measuring.withLock { $0.recorder } }
}
