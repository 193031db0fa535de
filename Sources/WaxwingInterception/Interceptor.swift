// SPDX-License-Identifier: MIT

package import CWaxwingRuntime
import Synchronization

/// Writes replacement entries: the only one that does.
///
/// Several interceptors may override one patch point: its layers are stacked by rank, those of one
/// rank in the order of their installation, whoever made them, and its entry is written back when the
/// last is gone.
package final class Interceptor: Sendable {
  private struct State {
    /// Layers in their slots, which must not be freed.
    var installed: [ObjectIdentifier: Layer] = [:]
    var retired: [Retired] = []
    /// Patch points whose entry this interceptor may have left replaced.
    var replaced: Set<InterceptionPoint> = []
  }

  /// A layer out of its slot, and the calls that may still see it.
  private struct Retired {
    let layer: Layer
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
    at point: InterceptionPoint, session: Switch, rank: LayerRank = LayerRank(),
    context: UnsafeMutableRawPointer? = nil,
    owner: AnyObject? = nil, handler: LayerHandler,
    prepared: (Layer) -> Void = { _ in }
  ) throws(InterceptionError) -> Layer {
    let slot = try claimSlot(of: point)
    let layer = try Layer(
      at: point, slot: slot, session: session, rank: rank, handler: handler, context: context,
      owner: owner)
    state.withLock {
      $0.installed[ObjectIdentifier(layer)] = layer
      _ = $0.replaced.insert(point)
    }
    prepared(layer)
    guard waxwing_layer_install(layer.pointer) else {
      state.withLock { _ = $0.installed.removeValue(forKey: ObjectIdentifier(layer)) }
      throw InterceptionError(
        .foreignEntry,
        "the replacement entry was changed by something else; undo that and try again")
    }
    return layer
  }

  /// The same for functions that are not `async`.
  package func install(
    at point: InterceptionPoint, session: Switch, rank: LayerRank = LayerRank(),
    context: UnsafeMutableRawPointer? = nil,
    owner: AnyObject? = nil, handler: @escaping waxwing_handler
  ) throws(InterceptionError) -> Layer {
    try install(
      at: point, session: session, rank: rank, context: context, owner: owner,
      handler: .synchronous(handler))
  }

  /// Takes layers out of their patch points; those that are not installed are left alone.
  ///
  /// Never waits, and may be called from inside a handler. A call that is in the handler goes on;
  /// the layer, its owner and its switch live until it has ended and `reclaim` has noticed.
  package func remove(_ layers: [Layer]) {
    let removed = state.withLock { state in
      layers.filter { state.installed.removeValue(forKey: ObjectIdentifier($0)) != nil }
    }
    for layer in removed { waxwing_layer_remove(layer.pointer) }
    waxwing_calls_barrier()
    let retired = removed.map { layer in
      Retired(layer: layer, calls: Set(CallInFlight.inSlot(layer.slot).map(\.identity)))
    }
    state.withLock { $0.retired += retired }
    reclaim()
  }

  /// Frees removed layers that no call can see any more, and returns how many are left.
  @discardableResult
  package func reclaim() -> Int {
    // Taken out, so that owners are released without the lock.
    let candidates = state.withLock { state in
      defer { state.retired = [] }
      return state.retired
    }
    let left = candidates.compactMap { candidate -> Retired? in
      let calls = CallInFlight.inSlot(candidate.layer.slot).map(\.identity)
      let remaining = candidate.calls.intersection(calls)
      return remaining.isEmpty ? nil : Retired(layer: candidate.layer, calls: remaining)
    }
    return state.withLock { state in
      state.retired += left
      return state.retired.count
    }
  }

  private func claimSlot(of point: InterceptionPoint) throws(InterceptionError) -> OpaquePointer {
    var slot: OpaquePointer?
    let claim = waxwing_slot_claim(
      point.entry, point.function, point.stackBytes, point.isAsync, &slot)
    switch claim {
    case WAXWING_CLAIM_OK:
      if let slot { return slot }
      preconditionFailure("a claimed slot is not null; please report this")
    case WAXWING_CLAIM_UNSUPPORTED:
      throw InterceptionError(.unsupportedCPU, "functions cannot be overridden on this CPU")
    case WAXWING_CLAIM_EXHAUSTED:
      throw InterceptionError(
        .stubsExhausted,
        "all \(waxwing_slot_capacity()) patch points of a process are in use; "
          + "restart it to override others")
    default:
      throw InterceptionError(
        .conflict, "the patch point was overridden before with another function or signature")
    }
  }
}

extension Interceptor {
  /// What became of the patch points whose entry was to be written back.
  package struct Restoration: Sendable {
    /// The entry holds its baseline word, as read from the entry.
    package var restored: [InterceptionPoint] = []
    /// Calls in flight kept the entry as it was: it leads to the original through the stub.
    package var busy: [(point: InterceptionPoint, calls: [CallInFlight])] = []
    /// Overrides are left there.
    package var overridden: [InterceptionPoint] = []
    /// Something else wrote the entry; it was left alone.
    package var foreign: [InterceptionPoint] = []

    package var isComplete: Bool { busy.isEmpty && overridden.isEmpty && foreign.isEmpty }
  }

  /// Writes the baseline word back to every entry that this interceptor replaced, newest layers
  /// having been removed before, and verifies it. Waits at most `duration` for calls in flight.
  ///
  /// Repeat it later for what it reports as busy. Restored and foreign points are forgotten.
  package func restore(atMost duration: Duration) -> Restoration {
    restore(state.withLock { $0.replaced }, atMost: duration)
  }

  /// The same for some of them.
  package func restore(
    _ points: Set<InterceptionPoint>, atMost duration: Duration
  ) -> Restoration {
    var waiting = Waiting(for: duration)
    let replaced = state.withLock { $0.replaced.intersection(points) }
    var pending = replaced.map { Attempt(point: $0) }
    var result = Restoration()
    repeat {
      pending = pending.filter { !$0.conclude(in: &result) }
    } while pending.contains(where: \.mayBecomeFree) && waiting.pause()

    result.busy = pending.map { attempt in (attempt.point, attempt.callsInTheWay()) }
    forget(result.restored + result.foreign)
    reclaim()
    return result
  }

  private func forget(_ points: [InterceptionPoint]) {
    state.withLock { state in
      // A layer that was installed meanwhile keeps its point.
      let inUse = Set(state.installed.values.map(\.point))
      state.replaced.subtract(Set(points).subtracting(inUse))
    }
  }

  /// The tries to restore one patch point.
  private final class Attempt {
    let point: InterceptionPoint
    private let slot: OpaquePointer?
    /// The calls in the way of the last try: never none if it failed.
    private var obstacles: [CallInFlight] = []

    init(point: InterceptionPoint) {
      self.point = point
      var slot: OpaquePointer?
      waxwing_slot_claim(
        point.entry, point.function, point.stackBytes, point.isAsync, &slot)
      self.slot = slot
    }

    private func callsInFlight() -> [CallInFlight] { slot.map(CallInFlight.inSlot) ?? [] }

    /// Those that are there now; if they have gone, those of the last try.
    func callsInTheWay() -> [CallInFlight] {
      let calls = callsInFlight()
      return calls.isEmpty ? obstacles : calls
    }

    /// Calls of the calling thread cannot end while it waits.
    var mayBecomeFree: Bool {
      let thread = CallInFlight.currentThread
      let calls = callsInFlight()
      return calls.isEmpty || calls.contains { $0.thread != thread }
    }

    /// One try, which stops new calls for up to a millisecond: so none while a call that was in the
    /// way last time still is. True: it is decided.
    func conclude(in result: inout Restoration) -> Bool {
      guard let slot else { return true }
      let remaining = Set(callsInFlight().map(\.identity))
      if obstacles.contains(where: { remaining.contains($0.identity) }) { return false }
      switch waxwing_slot_try_restore(slot) {
      case WAXWING_RESTORE_DONE where waxwing_slot_is_at_baseline(slot):
        result.restored.append(point)
      case WAXWING_RESTORE_BUSY:
        obstacles = callsInFlight()
        // Without any, what was in the way has gone.
        return obstacles.isEmpty && conclude(in: &result)
      case WAXWING_RESTORE_LAYERED:
        result.overridden.append(point)
      default:
        result.foreign.append(point)
      }
      return true
    }
  }
}
