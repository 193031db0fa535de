// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingLua
import WaxwingScripting

/// Decides when the garbage of one Lua state is collected: once no call has been in it for a while,
/// or after a second. Unchecked: used by the thread of the collector alone.
final class StateCollector: @unchecked Sendable {
  let script: ScriptRuntime
  /// The last stay in the state when it was looked at last.
  private(set) var lastTurn: UInt64 = 0
  /// Whether the garbage of that time has been collected, except values that other states hold,
  /// too.
  private(set) var isSettled = false
  /// The stay in the state up to which all garbage has been collected.
  private var collectedTurn: UInt64?
  /// The time at which a look first found that a call was in the state after the last collection.
  private var dirtySince: ContinuousClock.Instant?
  /// The last stay in it of this collector's, in the collection in hand.
  private var lastSlice: UInt64?
  /// Whether the running collection is the second: the first may have begun before the values to be
  /// collected were garbage.
  private var isWhole = false
  /// Whether nothing else has been in the state since the collection began.
  private var isAlone = false
  private var restsUntil = ContinuousClock.now

  init(_ script: ScriptRuntime) {
    self.script = script
  }

  /// How long the state is kept from calls at a time.
  private static let slice = Duration.milliseconds(1)
  private static let slicesPerLook = 10
  /// The time for which the collector waits for an interval between two looks in which no call was
  /// in the state.
  private static let patience = Duration.seconds(1)
  /// The factor by which a rest is longer than the work before it.
  private static let restFactor = 20

  /// - Returns: Whether there is, or was, something to do.
  func look() -> Bool {
    script.functions.inCollection { look(at: $0) } ?? false
  }

  /// Notes a collection of several states of which this is one: it was a stay in the state, too.
  func noteJointCollection() {
    _ = script.functions.inCollection { state in
      let turn = state.lastTurn
      if collectedTurn == lastTurn, turn == lastTurn + 1 { collectedTurn = turn }
      lastTurn = turn
    }
  }

  private func look(at state: LuaState) -> Bool {
    let turn = state.lastTurn
    defer { lastTurn = state.lastTurn }
    isSettled = state.liveProxies == 0 || turn == collectedTurn
    guard !isSettled else {
      dirtySince = nil
      return false
    }
    let now = ContinuousClock.now
    let since = dirtySince ?? now
    dirtySince = since
    guard now >= restsUntil, turn == lastTurn || now - since > Self.patience else { return true }
    collect(state)
    let end = ContinuousClock.now
    restsUntil = end.advanced(by: (end - now) * Self.restFactor)
    return true
  }

  private func collect(_ state: LuaState) {
    for _ in 0..<Self.slicesPerLook {
      guard let slice = state.collectSlice(lasting: Self.slice) else { return }
      if let last = lastSlice, slice.turn != last + 1 { isAlone = false }
      lastSlice = slice.turn
      guard slice.isLast else { continue }
      if isWhole { return end(state, slice.turn) }
      (isWhole, isAlone) = (true, true)
    }
  }

  /// The cycles come last: what has been collected before no longer holds parts of them.
  private func end(_ state: LuaState, _ turn: UInt64) {
    isWhole = false
    lastSlice = nil
    dirtySince = nil
    guard let cycles = state.collectCycles() else { return }
    if isAlone, cycles.turn == turn + 1, cycles.isLast { collectedTurn = cycles.turn }
  }
}
