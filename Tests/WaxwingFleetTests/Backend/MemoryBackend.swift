// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingSystem

@testable import WaxwingFleet

/// A store in memory that counts what is written, and refuses what etcd would refuse for its size. Leases do not
/// end, and nothing can be watched.
final class MemoryBackend: FleetBackend {
  /// What etcd takes in one request, by default.
  static let sizeLimit = 1_572_864

  private struct State {
    var entries: [String: FleetEntry] = [:]
    var revision = 0
    var lease = 0
    var largest = 0
    var written = 0
    var writes = 0
  }

  private let state = Mutex(State())

  let title = "memory"

  /// How many documents were written, how many bytes they had together, and the largest of them.
  var counts: (writes: Int, bytes: Int, largest: Int) {
    state.withLock { ($0.writes, $0.written, $0.largest) }
  }

  func range(_ prefix: String) throws(FleetError) -> FleetSnapshot {
    state.withLock { state in
      FleetSnapshot(
        entries: state.entries.values.filter { $0.key.hasPrefix(prefix) }
          .sorted { $0.key < $1.key }, revision: state.revision)
    }
  }

  func newest(_ count: Int, of prefix: String) throws(FleetError) -> [FleetEntry] {
    Array(try range(prefix).entries.sorted { $0.revision > $1.revision }.prefix(count))
  }

  func get(_ key: String) throws(FleetError) -> FleetEntry? {
    state.withLock { $0.entries[key] }
  }

  func put(_ key: String, _ value: [UInt8], lease: FleetLease?) throws(FleetError) {
    guard value.count < Self.sizeLimit else {
      throw FleetError(.invalid, "the request is too large: \(value.count) bytes for \(key)")
    }
    state.withLock { state in
      state.revision += 1
      state.writes += 1
      state.written += value.count
      state.largest = max(state.largest, value.count)
      state.entries[key] = FleetEntry(
        key: key, value: value, revision: state.revision, isLeased: lease != nil)
    }
  }

  func create(_ key: String, _ value: [UInt8], lease: FleetLease?) throws(FleetError) -> Bool {
    guard try get(key) == nil else { return false }
    try put(key, value, lease: lease)
    return true
  }

  func compareAndSwap(
    _ key: String, revision: Int, _ value: [UInt8], with other: (key: String, value: [UInt8])?
  ) throws(FleetError) -> Bool {
    guard (try get(key)?.revision ?? 0) == revision else { return false }
    if let other { try put(other.key, other.value, lease: nil) }
    try put(key, value, lease: nil)
    return true
  }

  func delete(_ key: String) throws(FleetError) { state.withLock { $0.entries[key] = nil } }

  func grantLease(seconds: Int) throws(FleetError) -> FleetLease {
    state.withLock { state in
      state.lease += 1
      return FleetLease(id: state.lease, seconds: seconds)
    }
  }

  func keepAlive(_ lease: FleetLease) throws(FleetError) -> Bool { true }

  func revoke(_ lease: FleetLease) throws(FleetError) {}

  func watch(_ prefix: String, from revision: Int) throws(FleetError) -> any FleetWatch {
    throw FleetError(.invalid, "nothing can be watched")
  }
}
