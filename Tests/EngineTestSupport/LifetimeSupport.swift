// SPDX-License-Identifier: MIT

package import Bank
import Synchronization
import Testing
package import Waxwing

/// What the oldest patch's Lua code keeps alive, after it has collected its garbage.
package func held() -> LiveObjects? {
  do {
    return try WaxwingEngine.liveObjects().first
  } catch {
    Issue.record(error)
    return nil
  }
}

extension Mayfly {
  /// How many are alive.
  package static var alive: Int { record.withLock { $0.alive } }

  /// Counts lags from now on.
  package static func startRecord(after number: Int) {
    record.withLock { $0 = Record(made: number) }
  }
}
