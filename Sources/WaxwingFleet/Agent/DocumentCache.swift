// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingPatches

/// Documents that an agent has read and found to be right. None of them changes under its name.
final class DocumentCache: Sendable {
  private struct Contents {
    var rollouts: [String: Rollout] = [:]
    var sets: [String: FleetSet] = [:]
    var patches: [String: [PatchBundle]] = [:]
  }

  /// The largest number of cached documents of a kind, which is more than one rollout is based on.
  private static let most = 2 * Rollout.baseLimit

  private let backend: any FleetBackend
  private let keys: FleetKeys
  private let verifier: DocumentVerifier
  private let contents = Mutex(Contents())

  init(_ backend: any FleetBackend, _ keys: FleetKeys, _ verifier: DocumentVerifier) {
    self.backend = backend
    self.keys = keys
    self.verifier = verifier
  }

  func rollout(_ id: String) throws(FleetError) -> Rollout {
    if let rollout = contents.withLock({ $0.rollouts[id] }) { return rollout }
    let rollout = try verifier.rollout(stored: try stored(.rollout(id), "rollout"), id: id)
    contents.withLock { Self.add(rollout, id, &$0.rollouts) }
    return rollout
  }

  func set(_ id: String) throws(FleetError) -> FleetSet {
    if let set = contents.withLock({ $0.sets[id] }) { return set }
    let set = try verifier.set(stored: try stored(.set(id), "set"), id: id)
    contents.withLock { Self.add(set, id, &$0.sets) }
    return set
  }

  /// The patches of a set, byte for byte as they were published.
  func patches(of id: String) throws(FleetError) -> [PatchBundle] {
    if let patches = contents.withLock({ $0.patches[id] }) { return patches }
    var patches: [PatchBundle] = []
    for patch in try set(id).patches {
      patches.append(try Self.bundle(try stored(.blob(patch.blob), "patch"), patch.blob))
    }
    let found = patches
    contents.withLock { Self.add(found, id, &$0.patches) }
    return patches
  }

  private func stored(_ key: FleetKey, _ kind: String) throws(FleetError) -> [UInt8] {
    guard let entry = try backend.get(keys.key(key)) else {
      throw FleetError(
        .notFound, "there is no \(kind) \(key.path) in \(backend.title)",
        remedy: "publish it again; the store has lost it")
    }
    return entry.value
  }

  /// A patch, if the bytes are those that the hash is of.
  static func bundle(_ bytes: [UInt8], _ hash: String) throws(FleetError) -> PatchBundle {
    guard ContentHash(of: bytes).hex == hash else {
      throw FleetError(
        .untrusted, "patch \(hash.prefix(12)) is another one: its hash is wrong",
        remedy: "somebody has changed it in the store: find out who")
    }
    do throws(StoreTextError) { return try BundleCoder.decode(bytes) } catch {
      throw FleetError(.untrusted, "patch \(hash.prefix(12)) is malformed: \(error.message)")
    }
  }

  private static func add<Value>(_ value: Value, _ id: String, _ values: inout [String: Value]) {
    if values.count >= most { values.removeAll() }
    values[id] = value
  }
}
