// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingInterception

extension Engine {
  /// Ends one session. A no-op if it has ended.
  func end(_ session: Session, waitAtMost duration: Duration) throws -> Restoration {
    try operation {
      finishDraining()
      return end(sessions.filter { $0.number == session.number }, waitAtMost: duration)
    }
  }

  /// Ends the newest patch of this name.
  func revert(_ name: String, waitAtMost duration: Duration) throws -> Restoration {
    try operation {
      finishDraining()
      let named = sessions.filter { $0.name == name }
      if named.isEmpty {
        let live = sessions.map { "`\($0.name)`" }.joined(separator: ", ")
        throw WaxwingError(
          .notFound, "no patch named `\(name)` is loaded",
          remedy: live.isEmpty ? "no patch is loaded at all" : "loaded are \(live)")
      }
      return end(named, waitAtMost: duration)
    }
  }

  /// Ends all sessions and verifies every entry that was ever overridden.
  func restore(waitAtMost duration: Duration) throws -> Restoration {
    try operation {
      finishDraining()
      return end(sessions, waitAtMost: duration)
    }
  }

  /// Newest first: switches off, waits, takes the layers out, writes the entries back, reads them
  /// again. What still has calls in it is kept until they end.
  func end(_ ending: [PatchSession], waitAtMost duration: Duration) -> Restoration {
    let deadline = ContinuousClock.now.advanced(by: duration)
    let newestFirst = Array(ending.reversed())
    let newlyEnded = newestFirst.filter { $0.state == .active }
    for session in newlyEnded { session.runtime.runAll(.ending) }
    for session in newlyEnded {
      session.gate.deactivate()
      methods.remove(session)
      session.state = .draining
      session.endedAt = .now
    }
    for session in newestFirst {
      let calls = session.gate.waitUntilIdle(atMost: remaining(until: deadline))
      if calls.isEmpty { session.endFunctions(atMost: remaining(until: deadline)) }
    }
    interceptor.remove(newestFirst.flatMap { $0.layers.reversed() })
    let restoration = interceptor.restore(atMost: remaining(until: deadline))
    let laggards = laggards(in: newestFirst, busy: restoration.busy)
    finishDraining()
    for session in newlyEnded {
      log.write(
        .info, "patch.ended", "\(session.name) has ended", [("laggards", "\(laggards.count)")])
      log.write(session.heldFunctions)
    }
    var result = verified(ended: newlyEnded.map(\.name), newestFirst, laggards)
    result.heldFunctions = newestFirst.flatMap(\.heldFunctions)
    return result
  }

  /// Compares entries with the snapshot: of all sessions if none is left, else of these.
  private func verified(
    ended: [String], _ ending: [PatchSession], _ laggards: [Restoration.Laggard]
  ) -> Restoration {
    let overridden = Set(
      sessions.filter { $0.state == .active }.flatMap { $0.overrides.map(\.point) })
    let isComplete = overridden.isEmpty
    let points = Set(ending.flatMap { $0.overrides.map(\.point) })
    let checked = snapshot.filter { entry in
      !overridden.contains(entry.point) && (isComplete || points.contains(entry.point))
    }
    let busy = Set(laggards.map(\.function))
    let unrestored = checked.filter { !$0.isAtBaseline }
    let waiting = unrestored.filter { busy.contains($0.function) }
    let differences = unrestored.filter { !busy.contains($0.function) }
    return Restoration(
      endedPatches: ended,
      entriesVerified: ended.isEmpty && differences.isEmpty ? 0 : checked.count - waiting.count,
      differences: differences.map {
        "the entry of \($0.function) does not hold its baseline word"
      },
      laggards: laggards)
  }

  private func laggards(
    in ending: [PatchSession],
    busy: [(point: InterceptionPoint, calls: [CallInFlight])]
  ) -> [Restoration.Laggard] {
    var found: [String: Restoration.Laggard] = [:]
    // A call of an override and that of its original within it are one to the user.
    func add(_ call: CallInFlight, _ session: PatchSession?) {
      let laggard = laggard(call, patch: session)
      let key = "\(laggard.threadID) \(laggard.function)"
      if found[key] == nil { found[key] = laggard }
    }
    for session in ending {
      for call in session.gate.callsInFlight() { add(call, session) }
    }
    for session in ending {
      for call in session.runtime.functions.calls {
        let function = call.method ?? "a Lua function that Swift holds"
        let laggard = laggard(function, call.thread, patch: session)
        found["\(call.thread) \(function)"] = laggard
      }
    }
    for call in busy.flatMap(\.calls) {
      add(call, ending.first { $0.overrides.contains { $0.point.entry == call.entry } })
    }
    return found.values.sorted { ($0.function, $0.threadID) < ($1.function, $1.threadID) }
  }

  private func laggard(_ call: CallInFlight, patch: PatchSession?) -> Restoration.Laggard {
    laggard(
      snapshot.first { $0.point.entry == call.entry }?.function ?? "a function", call.thread,
      patch: patch)
  }

  private func laggard(
    _ function: String, _ thread: UInt64, patch: PatchSession?
  ) -> Restoration.Laggard {
    let waited = patch?.endedAt.map { ContinuousClock.now - $0 } ?? .zero
    return Restoration.Laggard(
      patch: patch?.name ?? "", function: function, threadID: thread,
      waitedSeconds: waited / .seconds(1))
  }

  /// Closes the ended sessions whose last call has returned.
  func finishDraining() {
    let idle = sessions.filter { session in
      guard session.state == .draining, session.gate.callsInFlight().isEmpty else { return false }
      session.endFunctions(atMost: .zero)
      return session.runtime.functions.threadsInCalls.isEmpty
    }
    guard !idle.isEmpty || sessions.contains(where: { $0.state == .draining }) else { return }
    _ = interceptor.restore(atMost: .zero)
    for session in idle {
      _ = session.runtime.close(atMost: .zero)  // nobody is in it
      session.layers = []
    }
    sessions.removeAll { session in idle.contains { $0 === session } }
  }
}

extension Log {
  /// Functions of an ended patch that the program may still call.
  func write(_ functions: [HeldFunction]) {
    for function in functions {
      write(
        .info, "closure.held", "the program holds a Lua function, which does nothing any more",
        [
          ("patch", function.patch), ("at", "\(function.file):\(function.line)"),
          ("type", function.type),
        ])
    }
  }
}

/// Never negative.
private func remaining(until deadline: ContinuousClock.Instant) -> Duration {
  max(.zero, deadline - .now)
}
