// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingBridge
import WaxwingControl
import WaxwingCore
import WaxwingInterception
import WaxwingOperations
import WaxwingPatches
import WaxwingScripting

/// Calls that are kept for clients, by patches of the engine's own, and made again.
final class Records: Sendable {
  private struct Record {
    let session: Session
    weak var runtime: ScriptRuntime?
    let selectors: [String]
  }

  private let engine: Engine
  private let queries: PatchQueries
  private let patches: PatchOperations
  private let watches: Watches
  private let audit: AuditTrail
  private let last = Atomic(0)
  /// The one that there is; it may have ended.
  private let current = Mutex<Record?>(nil)

  init(
    _ engine: Engine, _ queries: PatchQueries, _ patches: PatchOperations, _ watches: Watches,
    _ audit: AuditTrail
  ) {
    self.audit = audit
    self.engine = engine
    self.queries = queries
    self.patches = patches
    self.watches = watches
  }

  /// Begins to keep calls of the functions whose selectors contain a text.
  /// - Throws: `WaxwingError` if none can be watched, if there are too many, if an expression is wrong, or if
  ///   calls are kept already.
  func begin(_ request: RecordRequest, by actor: AuditRecord.Actor) throws -> TraceReport {
    try Watches.demandMayShow(request.showsFields)
    if let known = live, !endIfAbandoned(known) {
      throw WaxwingError(
        .conflict, "\(known.session.name) keeps calls already",
        remedy: "`waxwing replay` lists them, `waxwing replay --end` forgets them")
    }
    let chosen = try ChosenPoints(request.pattern, queries)
    try watches.prepare()
    let name = "record-\(last.add(1, ordering: .relaxed).newValue)"
    let source = try RecordPatch(name: name, request: request, points: chosen.points).source()
    let application = try patches.applyOwn(source, by: actor)
    guard let session = application.applied.first?.session else { throw Watches.ended(name) }
    let selectors = chosen.points.map(\.selector)
    current.withLock {
      $0 = Record(session: session.handle, runtime: session.runtime, selectors: selectors)
    }
    watches.add(session, patience: request.patience)
    return TraceReport(
      name: name, points: selectors, refusals: chosen.refusals, missed: chosen.missed)
  }

  /// The calls that are kept.
  /// - Throws: `WaxwingError` with the code `notFound` if none are.
  func answer(_ question: RecordQuestion) throws -> RecordedCalls {
    let record = try demand()
    let (name, selectors) = (record.session.name, record.selectors)
    let asked: (ScriptQuestion, [ScriptArgument]) =
      switch question {
      case .calls(let number): (.kept, [.integer(max(0, number))])
      case .stop: (.stop, [])
      }
    let calls = try watches.ask(name, asked.0, asked.1) { try RecordedCalls($0, name, selectors) }
    if question == .stop { settle(record) }
    return calls
  }

  /// The seconds without a request after which a recorder counts as abandoned. A client that waits
  /// for calls asks five times a second.
  private static let silence = 5.0

  /// Milliseconds that taking its overrides back waits for calls to leave Lua.
  private static let patience: UInt32 = 2000

  /// Ends a recorder that keeps no call and that no client asks for any.
  private func endIfAbandoned(_ record: Record) -> Bool {
    guard let silence = watches.silence(of: record.session.name), silence >= Self.silence,
      count(record) == 0
    else { return false }
    return end(record)
  }

  /// Ends the recording of calls, and keeps those that were recorded; the functions are as they
  /// were. A record without calls is dropped.
  private func settle(_ record: Record) {
    if count(record) == 0, end(record) { return }
    guard let runtime = record.runtime else { return }
    _ = runtime.enteredByDebugger(milliseconds: Self.patience) {
      for override in runtime.overrides.all { runtime.overrides.withdraw(override) }
    }
  }

  /// The number of recorded calls; nil if the patch does not say.
  private func count(_ record: Record) -> Int? {
    try? watches.ask(record.session.name, .count) { try $0.integer("count") }
  }

  private func end(_ record: Record) -> Bool {
    (try? patches.end(record.session, waitAtMost: .seconds(5))) != nil
  }

  /// Makes a call again, as the program is now, or with a patch that takes part in this call alone.
  func replay(
    _ number: Int, _ patch: PatchBundle?, by actor: AuditRecord.Actor
  ) throws -> ReplayReport {
    let record = try demand()
    guard number > 0 else {
      throw WaxwingError(
        .notFound, "\(record.session.name) has no call \(number): calls have numbers from 1",
        remedy: "`waxwing replay` lists the calls that are kept")
    }
    try note(number, record, by: actor)
    let kept = try answer(.calls(after: number - 1)).calls.first { $0.number == number }
    guard let patch else {
      let (outcome, call) = try run(record, number, kept, hasPatch: false)
      return ReplayReport(call: call, outcome: outcome, patch: nil, usedPatch: false, warnings: [])
    }
    var terms = Terms()
    terms.selection = CallSelection(.replay)
    let application = try patches.apply(
      [patch], ApplyOptions(.none, waitAtMost: .zero), terms, by: actor)
    guard let applied = application.applied.first else { throw Watches.ended("the patch") }
    defer { _ = try? patches.end(applied.session.handle, waitAtMost: .seconds(5)) }
    let (outcome, call) = try run(record, number, kept, hasPatch: true)
    return ReplayReport(
      call: call, outcome: outcome, patch: applied.session.name,
      usedPatch: applied.session.overrides.contains { $0.calls > 0 }, warnings: applied.warnings)
  }

  /// Writes an audit record about the call that is replayed, before it is made.
  private func note(_ number: Int, _ record: Record, by actor: AuditRecord.Actor) throws {
    var line = AuditRecord(
      "replay", "done", by: actor, patches: [AuditRecord.Patch(name: record.session.name)],
      generation: engine.sessions.generation)
    line.terms = "call \(number)"
    try audit.demand(line)
  }

  private func run(
    _ record: Record, _ number: Int, _ kept: RecordedCall?, hasPatch: Bool
  ) throws -> (RecordedOutcome, RecordedCall) {
    let outcome = try CallReplay.run {
      try watches.ask(
        record.session.name, .replay, [.integer(number), .boolean(hasPatch)], timeoutSeconds: 60
      ) { try RecordedOutcome($0) }
    }
    guard let outcome else {
      throw WaxwingError(.conflict, "another call is made again", remedy: "try it again")
    }
    guard let kept else {
      throw WaxwingError(.unavailable, "\(record.session.name) has no call \(number)")
    }
    return (outcome, kept)
  }

  private var live: Record? {
    current.withLock(\.self).flatMap { record in
      engine.registry.isLive(record.session.number) ? record : nil
    }
  }

  private func demand() throws -> Record {
    if let live { return live }
    throw WaxwingError(
      .notFound, "no calls are kept", remedy: "`waxwing record PATTERN` begins to keep some")
  }
}
