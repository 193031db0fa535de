// SPDX-License-Identifier: MIT

package import Bank
import Glibc
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

/// Whether that happens; not for ever. Objects that Lua has held are let go on a thread of the collector's, which may
/// be at it after all else is done.
package func eventually(_ isThere: () -> Bool) -> Bool {
  let end = ContinuousClock.now.advanced(by: .seconds(60))
  while ContinuousClock.now < end {
    if isThere() { return true }
    usleep(200)
  }
  return false
}

extension Mayfly {
  /// How many are alive.
  package static var alive: Int { record.withLock { $0.alive } }

  /// Counts lags from now on.
  package static func startRecord(after number: Int) {
    record.withLock { $0 = Record(made: number) }
  }
}
