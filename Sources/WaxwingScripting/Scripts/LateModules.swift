// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingLua

/// The modules that one script waits for, and the functions to run once they are loaded.
package final class LateModules: Sendable {
  struct Entry: Sendable {
    let module: String
    /// The reference of the Lua function.
    let reference: Int32
    /// Where the script says so.
    let declaredAt: LuaFrame?
  }

  private let entries = Mutex<[Entry]>([])

  /// The names of the modules that are not there yet.
  package var names: [String] { entries.withLock { $0.map(\.module) } }

  func add(_ entry: Entry) { entries.withLock { $0.append(entry) } }

  /// Takes those out whose module is there now.
  /// - Parameter isLoaded: Reads the program's symbols; it is not called under the lock.
  func takeLoaded(_ isLoaded: (String) -> Bool) -> [Entry] {
    let loaded = Set(names.filter(isLoaded))
    if loaded.isEmpty { return [] }
    return entries.withLock { entries in
      let taken = entries.filter { loaded.contains($0.module) }
      entries.removeAll { loaded.contains($0.module) }
      return taken
    }
  }
}
