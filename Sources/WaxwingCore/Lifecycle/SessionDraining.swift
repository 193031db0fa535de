// SPDX-License-Identifier: MIT

import WaxwingInterception
import WaxwingLua
import WaxwingScripting

/// Finishes sessions that have ended: calls that are still in them, entries to be written back and
/// read again, and Lua states to be closed. Only for the thread that is in an operation of the
/// engine.
final class SessionDraining: Sendable {
  private let log: Log
  private let registry: OverrideRegistry
  private let methods: MethodRegistry
  private let sessions: PatchSessions
  private let lingering: LingeringObjects
  private let observers: EngineObservers

  init(
    _ log: Log, _ registry: OverrideRegistry, _ methods: MethodRegistry, _ sessions: PatchSessions,
    _ lingering: LingeringObjects, _ observers: EngineObservers
  ) {
    self.log = log
    self.registry = registry
    self.methods = methods
    self.sessions = sessions
    self.lingering = lingering
    self.observers = observers
  }

  /// Removes the overrides of sessions that are off, newest first, writes the entries back and
  /// reads them again. It then waits for the calls in the sessions that have ended now. Sessions
  /// that still have calls are kept until these end.
  func finish(
    _ ending: [PatchSession], newlyEnded: [PatchSession], waitAtMost duration: Duration
  ) -> Restoration {
    let deadline = ContinuousClock.now.advanced(by: duration)
    let points = Set(ending.flatMap { $0.overrides.map(\.point) })
    registry.withdraw(ending.map(\.number))
    registry.restore()
    let newestFirst = Array(newlyEnded.reversed())
    // Only what has been waited for: a call that was abandoned comes in once more, to end.
    let laggards = Laggards(
      of: newestFirst.map { ($0, waitForCalls(in: $0, until: deadline)) }, registry
    ).list()
    let before = ending.filter { session in !newlyEnded.contains { $0 === session } }
    let stillInside = Laggards(of: before.map { ($0, $0.gate.callsInFlight()) }, registry).list()
    closeDrained()
    let names = newestFirst.map(\.name)
    for session in newestFirst {
      log.write(.info, "patch.ended", "\(session.name) has ended", fields(session, laggards.count))
      log.write(session.heldFunctions)
    }
    var result = verified(points, ended: names, laggards)
    result.stillInside = stillInside
    result.livingObjects = sessions.all.filter(\.lingers).reduce(into: [:]) { counts, session in
      counts.merge(session.runtime.classes.livingObjects) { $0 + $1 }
    }
    result.heldFunctions = newestFirst.flatMap(\.heldFunctions)
    result.cancelledTasks = newlyEnded.reduce(0) { $0 + $1.outstanding.tasks }
    result.abandonedCalls = newlyEnded.flatMap(\.outstanding.abandoned)
    return result
  }

  /// Waits for the calls in a session.
  /// - Returns: Those that are still in an override of it.
  private func waitForCalls(
    in session: PatchSession, until deadline: ContinuousClock.Instant
  ) -> [CallInFlight] {
    session.endActivities(atMost: remaining(until: deadline))
    // Those that were woken from a wait of the script's own need a moment to get out, and more of one where the
    // machine is busy.
    let outstanding = session.outstanding
    let isEnding = outstanding.areEnding || !outstanding.abandoned.isEmpty
    let least = isEnding ? Duration.seconds(2) : .zero
    let calls = session.gate.waitUntilIdle(atMost: max(remaining(until: deadline), least))
    if calls.isEmpty { session.endFunctions(atMost: remaining(until: deadline)) }
    if lingering.isLingering(session), session.lingers {
      session.runtime.letObjectsWait()
    } else if calls.isEmpty {
      // The last objects may be ending.
      session.endFunctions(atMost: remaining(until: deadline))
    }
    return calls
  }

  private func fields(_ session: PatchSession, _ laggards: Int) -> [(String, any LogValue)] {
    let outstanding = [
      ("tasks", session.outstanding.tasks), ("abandoned", session.outstanding.abandoned.count),
    ]
    let own: [(String, any LogValue)] = [("laggards", laggards)]
    return own + outstanding.filter { $0.1 > 0 }.map { ($0.0, $0.1) }
  }

  /// Compares with the snapshot: all of it if nothing is overridden, otherwise these entries.
  private func verified(
    _ points: Set<InterceptionPoint>, ended: [String], _ laggards: [Restoration.Laggard]
  ) -> Restoration {
    let found = registry.verify(registry.isAtBaseline ? nil : points)
    let differences =
      found.changed.map(\.difference) + found.versions.map(OverrideRegistry.Verification.difference)
      + strayMethods
    return Restoration(
      endedPatches: ended,
      entriesVerified: found.entries,
      differences: differences, laggards: laggards)
  }

  /// Added methods that can be called although their patch is not live.
  private var strayMethods: [String] {
    let live = Set(sessions.live.map(\.number))
    return methods.sessions.filter { !live.contains($0) }.map {
      "the methods that session \($0) has added can still be called"
    }
  }

  /// Bytes; less stays with the C library, which keeps what has been freed for later.
  private static let worthTrimming = 4 << 20

  /// Closes the ended sessions whose last call has returned.
  func closeDrained() {
    let idle = sessions.all.filter { session in
      guard session.state != .active, !lingering.isLingering(session),
        session.gate.callsInFlight().isEmpty
      else { return false }
      session.endFunctions(atMost: .zero)
      return session.runtime.isUnused
    }
    let freed = idle.reduce(0) { $0 + $1.runtime.mostMemory }
    for session in idle {
      observers.sessionCloses(session)
      _ = session.runtime.close(atMost: .zero)  // nobody is in it
      registry.close(session.number)
    }
    sessions.remove(idle)
    if freed > Self.worthTrimming { LuaState.trimMemory() }
  }
}

/// The time until the deadline, which is never negative.
private func remaining(until deadline: ContinuousClock.Instant) -> Duration {
  max(.zero, deadline - .now)
}
