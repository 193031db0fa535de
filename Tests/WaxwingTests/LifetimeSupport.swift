// SPDX-License-Identifier: MIT

import Bank
import Synchronization
import Testing
import Waxwing

/// What the oldest patch's Lua code keeps alive, after it has collected its garbage.
func held() -> LiveObjects? {
  do {
    return try WaxwingEngine.liveObjects().first
  } catch {
    Issue.record(error)
    return nil
  }
}

extension Mayfly {
  /// How many are alive.
  static var alive: Int { record.withLock { $0.alive } }

  /// Counts lags from now on.
  static func startRecord(after number: Int) {
    record.withLock { $0 = Record(made: number) }
  }
}
