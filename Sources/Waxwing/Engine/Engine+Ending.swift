// SPDX-License-Identifier: MIT

import WaxwingInterception
import WaxwingLua
import WaxwingOperations
internal import WaxwingScripting

extension Engine {
  /// Ends one session of the program's own. A no-op if it has ended.
  /// - Parameter now: Whether objects of its classes that are alive answer as their superclasses do.
  func end(
    _ session: Session, waitAtMost duration: Duration, now: Bool = false
  ) throws -> Restoration {
    try operation("ending \(session.name)") {
      finishDraining()
      let ending = sessions.filter { $0.number == session.number }
      let kept = Set(ending.filter { keeper.isKept($0.hash) }.map(\.name))
      return end(ending, alsoKept: kept, waitAtMost: duration, now, "revert", by: .program)
    }
  }

  /// Ends the newest patch of this name.
  func revert(
    _ name: String, waitAtMost duration: Duration, now: Bool = false, by actor: AuditRecord.Actor
  ) throws -> Restoration {
    try operation("reverting \(name)") {
      finishDraining()
      let named = sessions.filter { $0.name == name }
      if named.isEmpty, !keeps(name) {
        let live = sessions.map { "`\($0.name)`" }.joined(separator: ", ")
        throw WaxwingError(
          .notFound, "no patch named `\(name)` is loaded",
          remedy: live.isEmpty ? "no patch is loaded at all" : "loaded are \(live)")
      }
      return end(named, alsoKept: [name], waitAtMost: duration, now, "revert", by: actor)
    }
  }

  /// Ends all sessions and verifies every entry that was ever overridden.
  func restore(
    waitAtMost duration: Duration, now: Bool = false, by actor: AuditRecord.Actor
  ) throws -> Restoration {
    try operation("restoring the program") {
      finishDraining()
      return end(sessions, alsoKept: nil, waitAtMost: duration, now, "restore", by: actor)
    }
  }

  /// Ends first and writes down afterwards: the disk may be in a state that nothing can be written.
  /// - Parameter kept: The names of patches that are not kept any more; nil: none is.
  private func end(
    _ ending: [PatchSession], alsoKept kept: Set<String>?, waitAtMost duration: Duration,
    _ now: Bool, _ event: String, by actor: AuditRecord.Actor
  ) -> Restoration {
    let newlyEnded = ending.filter { $0.state == .active }
    let idle = idlePatches(kept)
    let removed = newlyEnded.map { AuditRecord.Patch($0) } + idle
    let before = generation
    if !newlyEnded.isEmpty { switchOver(to: [], ending: newlyEnded, objectsGoOn: !now) }
    if now {
      for session in ending { endLingering(session) }
    }
    let failure = unkeep(kept)
    var restoration = finish(ending, newlyEnded: newlyEnded, waitAtMost: duration)
    if failure == nil { restoration.droppedPatches = idle.map(\.name) }
    restoration.storeFailure = failure.map { "\($0.message); \($0.remedy)" }
    note(event, restoration, removed, before: before, by: actor)
    return restoration
  }

  /// Takes the overrides of sessions that are off out, newest first, writes the entries back and reads
  /// them again; then waits for the calls that are in those that have ended now. What still has calls in
  /// it is kept until they end.
  func finish(
    _ ending: [PatchSession], newlyEnded: [PatchSession], waitAtMost duration: Duration
  ) -> Restoration {
    let deadline = ContinuousClock.now.advanced(by: duration)
    let points = Set(ending.flatMap { $0.overrides.map(\.point) })
    registry.withdraw(ending.map(\.number))
    registry.restore()
    let newestFirst = Array(newlyEnded.reversed())
    for session in newestFirst { waitForCalls(in: session, until: deadline) }
    let laggards = Laggards(of: newestFirst, registry).list()
    let before = ending.filter { session in !newlyEnded.contains { $0 === session } }
    let stillInside = Laggards(of: before, registry).list()
    finishDraining()
    let names = newlyEnded.reversed().map(\.name)
    for session in newlyEnded.reversed() {
      log.write(.info, "patch.ended", "\(session.name) has ended", fields(session, laggards.count))
      log.write(session.heldFunctions)
    }
    var result = verified(points, ended: names, laggards)
    result.stillInside = stillInside
    result.livingObjects = sessions.filter(\.lingers).reduce(into: [:]) { counts, session in
      counts.merge(session.runtime.livingObjects) { $0 + $1 }
    }
    result.heldFunctions = newestFirst.flatMap(\.heldFunctions)
    result.cancelledTasks = newlyEnded.reduce(0) { $0 + $1.outstanding.tasks }
    result.abandonedCalls = newlyEnded.flatMap(\.outstanding.abandoned)
    return result
  }

  /// Waits for the calls in a session.
  private func waitForCalls(in session: PatchSession, until deadline: ContinuousClock.Instant) {
    session.endActivities(atMost: remaining(until: deadline))
    // Those that were woken from a wait of the script's own need a moment to get out.
    let least = session.outstanding.abandoned.isEmpty ? Duration.zero : .milliseconds(250)
    let calls = session.gate.waitUntilIdle(atMost: max(remaining(until: deadline), least))
    if calls.isEmpty { session.endFunctions(atMost: remaining(until: deadline)) }
    if isLingering(session), session.lingers {
      session.runtime.letObjectsWait()
    } else if calls.isEmpty {
      // The last objects may be ending.
      session.endFunctions(atMost: remaining(until: deadline))
    }
  }

  private func fields(_ session: PatchSession, _ laggards: Int) -> [(String, any LogValue)] {
    let outstanding = [
      ("tasks", session.outstanding.tasks), ("abandoned", session.outstanding.abandoned.count),
    ]
    let own: [(String, any LogValue)] = [("laggards", laggards)]
    return own + outstanding.filter { $0.1 > 0 }.map { ($0.0, $0.1) }
  }

  /// Compares with the snapshot: all of it if nothing is overridden, else these entries.
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
    let live = Set(sessions.filter { $0.state == .active }.map(\.number))
    return methods.sessions.filter { !live.contains($0) }.map {
      "the methods that session \($0) has added can still be called"
    }
  }

  /// Bytes; less stays with the C library, which keeps what has been freed for later.
  private static let worthTrimming = 4 << 20

  /// Closes the ended sessions whose last call has returned.
  func finishDraining() {
    let idle = sessions.filter { session in
      guard session.state != .active, !isLingering(session), session.gate.callsInFlight().isEmpty
      else { return false }
      session.endFunctions(atMost: .zero)
      return session.runtime.isUnused
    }
    let freed = idle.reduce(0) { $0 + $1.runtime.mostMemory }
    for session in idle {
      watchdog.forget(session)
      _ = session.runtime.close(atMost: .zero)  // nobody is in it
      registry.close(session.number)
    }
    sessions.removeAll { session in idle.contains { $0 === session } }
    if freed > Self.worthTrimming { LuaState.trimMemory() }
  }
}

/// Never negative.
private func remaining(until deadline: ContinuousClock.Instant) -> Duration {
  max(.zero, deadline - .now)
}
