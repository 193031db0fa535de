// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import WaxwingPatches
import WaxwingSystem

/// A folder with the same documents: for hosts without a network, and for those to which configuration
/// management brings files. A document's key is its path.
///
/// A document that is bound to a lease has the lease's number behind a `~` in its file's name; the lease is a
/// file in `.leases`, whose time of change is when it was kept alive last.
package final class FolderBackend: FleetBackend {
  /// The files at a path, by key.
  typealias Contents = [String: FolderFile]

  private struct State {
    /// The contents at the last few revisions, so that watches can begin at them.
    var snapshots: [Int: Contents] = [:]
    var lastRevision = 0
  }

  private static let mostSnapshots = 64
  private let tree: FolderTree
  private let state = Mutex(State())

  /// Takes a folder, which has to be there.
  package init(path: String) throws(FleetError) { tree = try FolderTree(path: path) }

  package var title: String { "the folder \(tree.path)" }

  package func range(_ prefix: String) throws(FleetError) -> FleetSnapshot {
    let contents = try tree.contents(prefix)
    var entries: [FleetEntry] = []
    for file in contents.values.sorted(by: { $0.key < $1.key }) {
      if let entry = try tree.entry(file) { entries.append(entry) }
    }
    let revision = state.withLock { state in
      state.lastRevision += 1
      state.snapshots[state.lastRevision] = contents
      state.snapshots[state.lastRevision - Self.mostSnapshots] = nil
      return state.lastRevision
    }
    return FleetSnapshot(entries: entries, revision: revision)
  }

  package func newest(_ count: Int, of prefix: String) throws(FleetError) -> [FleetEntry] {
    var entries: [FleetEntry] = []
    for file in try tree.contents(prefix).values.sorted(by: { $0.key > $1.key }).prefix(count) {
      if let entry = try tree.entry(file) { entries.append(entry) }
    }
    return entries
  }

  package func get(_ key: String) throws(FleetError) -> FleetEntry? {
    guard let file = try tree.contents(key)[key] else { return nil }
    return try tree.entry(file)
  }

  package func put(
    _ key: String, _ value: [UInt8], lease: FleetLease?
  ) throws(FleetError) {
    try tree.locked { () throws(FleetError) in try tree.write(key, value, lease: lease) }
  }

  package func create(
    _ key: String, _ value: [UInt8], lease: FleetLease?
  ) throws(FleetError) -> Bool {
    try tree.locked { () throws(FleetError) in
      guard try tree.contents(key)[key] == nil else { return false }
      try tree.write(key, value, lease: lease)
      return true
    }
  }

  package func compareAndSwap(
    _ key: String, revision: Int, _ value: [UInt8], with other: (key: String, value: [UInt8])?
  ) throws(FleetError) -> Bool {
    try tree.locked { () throws(FleetError) in
      guard (try get(key)?.revision ?? 0) == revision else { return false }
      // A reader that sees the second document sees the first. If the second write fails, the change is tried again.
      if let other { try tree.write(other.key, other.value, lease: nil) }
      try tree.write(key, value, lease: nil)
      return true
    }
  }

  package func delete(_ key: String) throws(FleetError) {
    try tree.locked { () throws(FleetError) in try tree.remove(key) }
  }

  package func grantLease(seconds: Int) throws(FleetError) -> FleetLease {
    let lease = FleetLease(id: Int.random(in: 1...Int.max), seconds: seconds)
    try tree.locked { () throws(FleetError) in try tree.writeLease(lease) }
    return lease
  }

  package func keepAlive(_ lease: FleetLease) throws(FleetError) -> Bool {
    try tree.locked { () throws(FleetError) in
      guard tree.isAlive(lease.id) else { return false }
      try tree.writeLease(lease)
      return true
    }
  }

  package func revoke(_ lease: FleetLease) throws(FleetError) {
    try tree.locked { () throws(FleetError) in tree.removeLease(lease.id) }
  }

  package func watch(
    _ prefix: String, from revision: Int
  ) throws(FleetError) -> any FleetWatch {
    let start = state.withLock { state in state.snapshots[revision - 1] }
    guard let start else {
      throw FleetError(.compacted, "it is not known any more how \(title) was then")
    }
    return FolderWatch(tree, prefix, start.filter { $0.key.hasPrefix(prefix) })
  }
}
