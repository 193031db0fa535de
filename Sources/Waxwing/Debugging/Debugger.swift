// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingCore
import WaxwingOperations
import WaxwingScripting
import WaxwingSystem

/// Debuggers of patches. A call stops where a debugger wants it to, and waits on its own thread until the
/// debugger lets it go on, is gone, or its time is over; its patch's Lua state is free meanwhile.
final class Debugger: Sendable {
  struct State: Sendable {
    var sessions: [Int: DebugSession] = [:]
    var lastSession = 0
    /// The first calls have number 2: clients have 1 for all that have not stopped.
    var lastCall: UInt64 = 1
    /// Why sessions have ended, the newest last.
    var ended: [(number: Int, reason: String)] = []
  }

  let engine: Engine
  let audit: AuditTrail
  let timers: Timers
  let times: StopTimes
  /// Calls that stop wait for it to change.
  let state = Monitor(State())

  init(_ engine: Engine, _ audit: AuditTrail, _ timers: Timers, _ times: StopTimes) {
    self.engine = engine
    self.audit = audit
    self.timers = timers
    self.times = times
  }

  // MARK: Ending

  /// Lets all calls of a session go on, and stops no more.
  /// - Parameter actor: The client that wants it; nil for the engine.
  func end(_ number: Int, _ reason: String, by actor: AuditRecord.Actor = .program) {
    let ended = state.withLock { $0.end(number, reason) }
    guard let ended else { return }
    let record = AuditRecord(
      "debug.detach", "done", by: actor, patches: [ended.patch],
      generation: engine.sessions.generation, reason: reason)
    // Whoever restores the program does not wait for the disk.
    timers.run(after: 0) { [audit] in audit.note(record) }
  }

  private func endAll(_ reason: String, where isMeant: (DebugSession) -> Bool) {
    let numbers = state.withLock { $0.sessions.values.filter(isMeant).map(\.number) }
    for number in numbers.sorted() { end(number, reason) }
  }

  /// The program is being restored: no call is to wait any more.
  func endAll() { endAll("the program was restored") { _ in true } }

  /// A client of the control socket is gone.
  func clientLeft(_ peer: ControlPeer) {
    if peer.pid == 0 { return }  // of another namespace: nothing tells it from others
    endAll("the debugger's connection has ended") { $0.peer == peer }
  }

  /// Ends the session if its client has sent no request for too long. If not, looks again later.
  func watch(_ number: Int, patience: Double) {
    timers.run(after: patience / 3) { [self] in
      let isLate = state.withLock { state in
        state.sessions[number].map {
          $0.requests == 0 && $0.asked.advanced(bySeconds: patience).isPast
        }
      }
      switch isLate {
      case false?: watch(number, patience: patience)
      case true?: end(number, "the debugger has asked for nothing for \(patience) s")
      case nil: break
      }
    }
  }
}

extension Debugger: EngineObserver {
  func sessionHasEnded(_ session: PatchSession) {
    endAll("\(session.name) has ended") { $0.session.number == session.number }
  }

  func limitsHaveChanged(_ limits: Policy.Limits) {
    if limits.debugSeconds <= 0 { endAll("the rules allow no debuggers any more") { _ in true } }
  }
}

extension Debugger.State {
  /// Sessions whose end is remembered.
  private static let mostEnded = 32

  /// Ends a session of the debugger. No Lua state is closed as long as its session is in the list,
  /// so the state can be told.
  fileprivate mutating func end(_ number: Int, _ reason: String) -> DebugSession? {
    guard let session = sessions.removeValue(forKey: number) else { return nil }
    for debugger in session.debuggers { debugger.detach() }
    ended.append((number, reason))
    if ended.count > Self.mostEnded { ended.removeFirst() }
    return session
  }

  /// The session that has such a stop.
  func session(ofStop stop: UInt64) -> Int? {
    sessions.first { $0.value.stops[stop] != nil }?.key
  }
}
