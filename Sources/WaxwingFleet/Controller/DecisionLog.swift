// SPDX-License-Identifier: MIT

import WaxwingSystem

/// The fleet's history: entries are added, and never changed.
package struct DecisionLog {
  private let backend: any FleetBackend
  private let keys: FleetKeys

  /// The history of one fleet.
  package init(backend: any FleetBackend, keys: FleetKeys) {
    self.backend = backend
    self.keys = keys
  }

  /// Adds an entry.
  package func append(_ entry: FleetLogEntry) throws(FleetError) {
    let (key, value) = document(of: entry)
    _ = try backend.create(key, value)
  }

  /// The document that adds an entry, to be written together with the change that it describes: a
  /// failure between two writes would leave a change that the history does not have.
  package func document(of entry: FleetLogEntry) -> (key: String, value: [UInt8]) {
    var random = SystemRandomNumberGenerator()
    let suffix = String(random.next() | 1 << 63, radix: 16)
    // In the order of writing also within a second.
    let milliseconds = String(1000 + SystemTime.milliseconds % 1000).dropFirst()
    let key = keys.key(.log("\(entry.at)-\(milliseconds)-\(suffix)"))
    return (key, DocumentCoder.encode(entry))
  }

  /// The newest entries, newest first. Invalid entries are left out. If the store knows in which
  /// order they were written, no clock of a host has to be right.
  package func newest(_ count: Int) throws(FleetError) -> [FleetLogEntry] {
    try backend.newest(count, of: keys.prefix(of: "log")).compactMap { entry in
      try? DocumentCoder.decode(FleetLogEntry.self, from: entry.value, named: "log entry")
    }
  }
}
