// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingFleet
import WaxwingSystem

/// A store that can be cut off, as by a network that breaks: requests fail, and streams end.
final class CutBackend: FleetBackend {
  private struct State {
    var isCut = false
    var watches: [any FleetWatch] = []
  }

  private let backend: any FleetBackend
  private let state = Mutex(State())

  init(_ backend: any FleetBackend) { self.backend = backend }

  var isCut: Bool {
    get { state.withLock { $0.isCut } }
    set {
      let watches = state.withLock { state in
        state.isCut = newValue
        defer { state.watches = [] }
        return newValue ? state.watches : []
      }
      for watch in watches { watch.cancel() }
    }
  }

  private func demand() throws(FleetError) {
    if isCut { throw FleetError(.unavailable, "the network is cut") }
  }

  var title: String { backend.title }

  func range(_ prefix: String) throws(FleetError) -> FleetSnapshot {
    try demand()
    return try backend.range(prefix)
  }

  func newest(_ count: Int, of prefix: String) throws(FleetError) -> [FleetEntry] {
    try demand()
    return try backend.newest(count, of: prefix)
  }

  func get(_ key: String) throws(FleetError) -> FleetEntry? {
    try demand()
    return try backend.get(key)
  }

  func put(_ key: String, _ value: [UInt8], lease: FleetLease?) throws(FleetError) {
    try demand()
    try backend.put(key, value, lease: lease)
  }

  func create(_ key: String, _ value: [UInt8], lease: FleetLease?) throws(FleetError) -> Bool {
    try demand()
    return try backend.create(key, value, lease: lease)
  }

  func compareAndSwap(
    _ key: String, revision: Int, _ value: [UInt8], with other: (key: String, value: [UInt8])?
  ) throws(FleetError) -> Bool {
    try demand()
    return try backend.compareAndSwap(key, revision: revision, value, with: other)
  }

  func delete(_ key: String) throws(FleetError) {
    try demand()
    try backend.delete(key)
  }

  func grantLease(seconds: Int) throws(FleetError) -> FleetLease {
    try demand()
    return try backend.grantLease(seconds: seconds)
  }

  func keepAlive(_ lease: FleetLease) throws(FleetError) -> Bool {
    try demand()
    return try backend.keepAlive(lease)
  }

  func revoke(_ lease: FleetLease) throws(FleetError) {
    try demand()
    try backend.revoke(lease)
  }

  func watch(_ prefix: String, from revision: Int) throws(FleetError) -> any FleetWatch {
    try demand()
    let watch = try backend.watch(prefix, from: revision)
    state.withLock { state in state.watches = state.watches.suffix(1) + [watch] }
    return watch
  }
}
