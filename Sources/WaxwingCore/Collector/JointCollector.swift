// SPDX-License-Identifier: MIT

import WaxwingScripting

/// When cycles that go through several Lua states are collected: once each of them has been collected
/// alone, or after a second.
/// Unchecked: used by the thread of the collector alone.
final class JointCollector: @unchecked Sendable {
  /// The last stays in the states, after the last collection.
  private var collectedTurns: [UInt64] = []
  /// When it was first seen that somebody has been in one of them since.
  private var dirtySince: ContinuousClock.Instant?
  private var restsUntil = ContinuousClock.now

  /// So long it waits for a look at which there is nothing else to do.
  private static let patience = Duration.seconds(1)
  /// It rests so many times as long as it has worked: no call is served meanwhile.
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
