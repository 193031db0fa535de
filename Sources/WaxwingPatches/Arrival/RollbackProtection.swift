// SPDX-License-Identifier: MIT

import Synchronization

/// Remembers what may not go back: serial numbers, and the time. Any thread calls it, never two at
/// once for the same change.
package protocol RollbackProtection: AnyObject, Sendable {
  /// The floor of a program and a key; nil: nothing of that key was applied there yet.
  /// - Throws: ``PatchError`` if it cannot be known: the patch is refused then.
  func floor(program: String, key: String) throws(PatchError) -> SerialFloor?

  /// Raises floors, all or none, before the patches go live; none of them is lowered.
  /// - Throws: ``PatchError`` if that cannot be kept: the patches are refused then.
  func raise(_ floors: [SerialFloor]) throws(PatchError)

  /// The latest time that was ever seen, in seconds since 1970.
  var lastSeen: Int? { get }

  /// Notes the time; it may be written later, and an older one is ignored.
  func see(_ time: Int)
}

/// Floors for as long as the process runs.
package final class FloorsInMemory: RollbackProtection {
  private struct Place: Hashable {
    let program: String
    let key: String
  }

  private struct State {
    var serials: [Place: Int] = [:]
    var lastSeen: Int?
  }

  private let state = Mutex(State())

  /// Creates floors of which nothing is known yet.
  package init() {}

  package func floor(program: String, key: String) -> SerialFloor? {
    let serial = state.withLock { $0.serials[Place(program: program, key: key)] }
    return serial.map { SerialFloor(program: program, key: key, serial: $0) }
  }

  package func raise(_ floors: [SerialFloor]) {
    state.withLock { state in
      for floor in floors {
        let place = Place(program: floor.program, key: floor.key)
        state.serials[place] = max(state.serials[place] ?? 0, floor.serial)
      }
    }
  }

  package var lastSeen: Int? { state.withLock { $0.lastSeen } }

  package func see(_ time: Int) {
    state.withLock { $0.lastSeen = max($0.lastSeen ?? 0, time) }
  }
}
