// SPDX-License-Identifier: MIT

import WaxwingScripting

/// Decides when cycles through several Lua states are collected: once each of them has been
/// collected alone, or after a second. Unchecked: used by the thread of the collector alone.
final class JointCollector: @unchecked Sendable {
  /// The last stays in the states, after the last collection.
  private var collectedTurns: [UInt64] = []
  /// The time at which a look first found that a call was in one of the states after the last
  /// collection.
  private var dirtySince: ContinuousClock.Instant?
  private var restsUntil = ContinuousClock.now

  /// The time for which the collector waits for a look with nothing else to do.
  private static let patience = Duration.seconds(1)
  /// The factor by which a rest is longer than the work before it. No call is served during the
  /// work.
  private static let restFactor = 50

  /// - Parameter states: All there are, each looked at just before.
  /// - Returns: Whether there is, or was, something to do.
  func look(at states: [StateCollector]) -> Bool {
    let joined = states.filter(\.script.hasEdges)
    guard joined.count > 1, joined.map(\.lastTurn) != collectedTurns else {
      dirtySince = nil
      return false
    }
    let now = ContinuousClock.now
    let since = dirtySince ?? now
    dirtySince = since
    guard now >= restsUntil, joined.allSatisfy(\.isSettled) || now - since > Self.patience else {
      return true
    }
    ScriptRuntime.collectJointCycles(of: joined.map(\.script))
    for state in joined { state.noteJointCollection() }
    collectedTurns = joined.map(\.lastTurn)
    dirtySince = nil
    let end = ContinuousClock.now
    restsUntil = end.advanced(by: (end - now) * Self.restFactor)
    return true
  }
}
