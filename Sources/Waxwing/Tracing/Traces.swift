// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingControl
import WaxwingCore
import WaxwingOperations
import WaxwingReflection
import WaxwingScripting

/// Watching calls for clients, with patches of the engine's own.
final class Traces: Sendable {
  private let queries: PatchQueries
  private let patches: PatchOperations
  private let watches: Watches
  private let counters: TraceCounters
  private let last = Atomic(0)

  init(
    _ engine: Engine, _ queries: PatchQueries, _ patches: PatchOperations, _ watches: Watches
  ) {
    counters = TraceCounters(engine)
    self.queries = queries
    self.patches = patches
    self.watches = watches
  }

  /// The longest time in seconds for which a trace lives without a client that asks for its calls.
  private static let mostPatience = 60.0

  /// Begins to watch the functions whose selectors contain a text.
  /// - Throws: `WaxwingError` if none can be watched, if there are too many, or if an expression is wrong.
  func begin(_ request: TraceRequest, by actor: AuditRecord.Actor) throws -> TraceReport {
    try Watches.demandMayShow(request.showsFields)
    let chosen = try ChosenPoints(request.pattern, queries)
    try watches.prepare()
    let name = "trace-\(last.add(1, ordering: .relaxed).newValue)"
    let source = try TracePatch(name: name, request: request, points: chosen.points).source()
    let application = try patches.applyOwn(source, by: actor)
    guard let session = application.applied.first?.session else { throw Watches.ended(name) }
    watches.add(session, patience: min(request.patience, Self.mostPatience))
    if request.counts { try counters.begin(name, session: session.handle.number) }
    return TraceReport(
      name: name, points: chosen.points.map(\.selector), refusals: chosen.refusals,
      images: request.callers == nil ? nil : Self.images, missed: chosen.missed)
  }

  /// The calls that a trace has seen since the last request.
  /// - Throws: `WaxwingError` with the code `notFound` if it has ended.
  func batch(of name: String) throws -> TraceBatch {
    let answer = try watches.ask(name, .calls) { try TraceAnswer($0) }
    var batch = TraceBatch()
    if counters.counts(name) {
      batch.counts = counters.next(name, errors: answer.errors)
    } else {
      (batch.calls, batch.dropped) = (answer.calls, answer.dropped)
    }
    return batch
  }

  private static var images: [ProgramImage] {
    RunningImage.all().map { ProgramImage(path: $0.file, base: $0.base) }
  }
}
