// SPDX-License-Identifier: MIT

import CWaxwingRuntime
import Synchronization

/// Writes entries of every kind: the only one that does.
///
/// Several interceptors may override one patch point: its layers are stacked by rank, those of one
/// rank in the order of their installation, whoever made them, and its entry is written back when the
/// last is gone.
package final class Interceptor: Sendable {
  private struct State {
    /// Layers in their slots, which must not be freed.
    var installed: [ObjectIdentifier: InstalledOverride] = [:]
    var retired: [Retired] = []
    /// How many of the layers there are at each patch point.
    private(set) var layers: [InterceptionPoint: Int] = [:]
    /// Patch points without a layer whose entry this interceptor may have left replaced.
    private(set) var vacant: Set<InterceptionPoint> = []

    mutating func add(_ layer: InstalledOverride, at point: InterceptionPoint) {
      installed[ObjectIdentifier(layer)] = layer
      layers[point, default: 0] += 1
      vacant.remove(point)
    }

    /// - Returns: False if it is not installed.
    mutating func remove(_ layer: InstalledOverride) -> Bool {
      guard installed.removeValue(forKey: ObjectIdentifier(layer)) != nil else { return false }
      let point = layer.point
      let left = layers[point, default: 0] - 1
      layers[point] = left > 0 ? left : nil
      if left <= 0 { vacant.insert(point) }
      return true
    }

    /// A layer that was installed meanwhile keeps its point.
    mutating func forget(_ points: [InterceptionPoint]) { vacant.subtract(points) }
  }

  /// A layer out of its slot, and the calls that may still see it.
  private struct Retired {
    let layer: InstalledOverride
    var calls: Set<UInt64>
  }

  // Held for the bookkeeping only: no handler, no original, no deinit of an owner runs under it.
  private let state = Mutex(State())

  package init() {}

  /// Overrides the patch point, on top of the overrides it has whose rank is not higher. No call
  /// enters the handler until the session's switch is on.
  ///
  /// - Parameters:
  ///   - owner: Kept until no call can be in the handler.
  ///   - prepared: Called with the layer before any call can see it.
  package func install(
    at point: InterceptionPoint, session: SessionSwitch, rank: LayerRank = LayerRank(),
    context: UnsafeMutableRawPointer? = nil,
    owner: AnyObject? = nil, handler: LayerHandler,
    prepared: (InstalledOverride) -> Void = { _ in }
  ) throws(InterceptionError) -> InstalledOverride {
    let slot = try claimSlot(of: point)
    let layer = try InstalledOverride(
      slot: slot, session: session, rank: rank, handler: handler, context: context,
      owner: owner)
    state.withLock { $0.add(layer, at: layer.point) }
    prepared(layer)
    let outcome = wax_runtime_layer_install(layer.pointer)
    guard outcome == WAX_RUNTIME_CLAIM_OK else {
      let isForeignCode = outcome == WAX_RUNTIME_CLAIM_FOREIGN && point.kind == .code
      let error = InterceptionError(isForeignCode ? WAX_RUNTIME_CLAIM_CODE_CHANGED : outcome)
      // Where the entry was written for a moment, a call may have seen the layer.
      remove([layer])
      throw error
    }
    return layer
  }

  /// Lets the entry lead to what overrides it for good, also while nothing does: what reads it once and
  /// calls it much later sees every change in between.
  /// - Parameter lower: Where calls go on that no override takes: a patch point of the function that the
  ///   entry leads to by itself. A call sees the overrides of both as they are in one moment.
  /// - Precondition: The entry is not the program's.
  package func keepReplaced(
    _ point: InterceptionPoint, over lower: InterceptionPoint?
  ) throws(InterceptionError) {
    let lower = try lower.map { (lower) throws(InterceptionError) in try claimSlot(of: lower) }
    guard wax_runtime_slot_stay(try claimSlot(of: point), lower) else { throw .foreignWord }
  }

  /// Installs a handler for functions that are not `async`.
  package func install(
    at point: InterceptionPoint, session: SessionSwitch, rank: LayerRank = LayerRank(),
    context: UnsafeMutableRawPointer? = nil,
    owner: AnyObject? = nil, handler: @escaping SynchronousHandler
  ) throws(InterceptionError) -> InstalledOverride {
    try install(
      at: point, session: session, rank: rank, context: context, owner: owner,
      handler: .synchronous(handler))
  }

  /// Takes layers out of their patch points; those that are not installed are left alone.
  ///
  /// Never waits, and may be called from inside a handler. A call that is in the handler goes on;
  /// the layer, its owner and its switch live until it has ended and `reclaim` has noticed.
  package func remove(_ layers: [InstalledOverride]) {
    let removed = state.withLock { state in layers.filter { state.remove($0) } }
    for layer in removed { wax_runtime_layer_remove(layer.pointer) }
    wax_runtime_calls_barrier()
    let calls = CallInFlight.identitiesBySlot()
    let retired = removed.map { Retired(layer: $0, calls: calls[$0.slot] ?? []) }
    state.withLock { $0.retired += retired }
    reclaim()
  }

  /// Whether this interceptor has installed the layer, and not removed it.
  package func isInstalled(_ layer: InstalledOverride) -> Bool {
    state.withLock { $0.installed[ObjectIdentifier(layer)] != nil }
  }

  /// Frees removed layers that no call can see any more, and returns how many are left.
  @discardableResult
  package func reclaim() -> Int {
    // Taken out, so that owners are released without the lock.
    let candidates = state.withLock { state in
      defer { state.retired = [] }
      return state.retired
    }
    if candidates.isEmpty { return 0 }
    let calls = CallInFlight.identitiesBySlot()
    let left = candidates.compactMap { candidate -> Retired? in
      let remaining = candidate.calls.intersection(calls[candidate.layer.slot] ?? [])
      return remaining.isEmpty ? nil : Retired(layer: candidate.layer, calls: remaining)
    }
    return state.withLock { state in
      state.retired += left
      return state.retired.count
    }
  }

  private func claimSlot(of point: InterceptionPoint) throws(InterceptionError) -> OpaquePointer {
    var slot: OpaquePointer?
    let claim = wax_runtime_slot_claim(point.raw, &slot)
    guard claim == WAX_RUNTIME_CLAIM_OK else { throw InterceptionError(claim) }
    if let slot { return slot }
    preconditionFailure("a claimed slot is not null; please report this")
  }
}

extension Interceptor {
  /// Runs `body` with the program's own code on this thread: functions that it calls are not overridden.
  /// Calls nest. Async functions, and what runs on other threads, are not concerned.
  package static func withoutPatches<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    wax_runtime_without_patches_begin()
    defer { wax_runtime_without_patches_end() }
    return try body()
  }
}

extension Interceptor {
  /// The outcome for patch points whose entries were to be written back.
  package struct RestoredEntries: Sendable {
    /// The entry holds its baseline word, as read from the entry.
    package var restored: [InterceptionPoint] = []
    /// The number of points that have overrides left.
    package var overridden = 0
    /// The points whose entries something else wrote; these were left alone.
    package var foreign: [InterceptionPoint] = []
    /// The points whose entries cannot be written now. Their calls find no override and go on to the
    /// program's own code; the next `restore` tries again.
    package var failed: [InterceptionPoint] = []

    package var isComplete: Bool { overridden == 0 && foreign.isEmpty && failed.isEmpty }
  }

  /// Writes the baseline word back to every entry that this interceptor replaced and that has no
  /// overrides left, and verifies it. Whoever is in a call stays there; what calls the function from
  /// now on calls the program's own code. Entries that have overrides are only counted.
  @discardableResult
  package func restore() -> RestoredEntries {
    let (vacant, overridden) = state.withLock { ($0.vacant, $0.layers.count) }
    return restore(vacant, RestoredEntries(overridden: overridden))
  }

  /// Restores some of the points.
  @discardableResult
  package func restore(_ points: Set<InterceptionPoint>) -> RestoredEntries {
    let (vacant, overridden) = state.withLock { state in
      (points.filter(state.vacant.contains), points.count { state.layers[$0] != nil })
    }
    return restore(vacant, RestoredEntries(overridden: overridden))
  }

  private func restore(
    _ vacant: Set<InterceptionPoint>, _ before: RestoredEntries
  ) -> RestoredEntries {
    var result = before
    for point in vacant { restore(point, &result) }
    state.withLock { $0.forget(result.restored + result.foreign) }
    reclaim()
    return result
  }

  private func restore(_ point: InterceptionPoint, _ result: inout RestoredEntries) {
    guard let slot = try? claimSlot(of: point) else { return }
    switch wax_runtime_slot_restore(slot) {
    case WAX_RUNTIME_RESTORE_DONE where wax_runtime_slot_is_at_baseline(slot):
      result.restored.append(point)
    case WAX_RUNTIME_RESTORE_LAYERED:
      result.overridden += 1
    case WAX_RUNTIME_RESTORE_FAILED:
      result.failed.append(point)
    default:
      result.foreign.append(point)
    }
  }
}
