// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingControl
import WaxwingCore
import WaxwingOperations
import WaxwingPatches
import WaxwingSystem

/// Watching calls for clients. A trace is a patch of the engine's own, in all that a patch is: it is listed,
/// recorded, limited and restored. It ends by itself when its client does not ask for calls any more.
final class Traces: Sendable {
  private struct Trace {
    let session: Session
    /// Seconds after which it ends that nobody asks for its calls.
    let patience: Double
    var asked: Deadline
  }

  private struct State {
    var traces: [String: Trace] = [:]
    var last = 0
  }

  private let engine: Engine
  private let queries: PatchQueries
  private let patches: PatchOperations
  private let timers: Timers
  private let state = Mutex(State())

  init(_ engine: Engine, _ queries: PatchQueries, _ patches: PatchOperations, _ timers: Timers) {
    self.engine = engine
    self.queries = queries
    self.patches = patches
    self.timers = timers
  }

  /// Functions that one trace watches at most.
  private static let mostPoints = 1000

  /// In seconds: for how long a trace lasts at most that nobody asks for its calls.
  private static let mostPatience = 60.0

  /// Begins to watch the functions whose selectors contain a text.
  /// - Throws: `WaxwingError` if none can be watched, if there are too many, or if an expression is wrong.
  func begin(_ request: TraceRequest, by actor: AuditRecord.Actor) throws -> TraceReport {
    let page = try queries.points(matching: request.pattern, from: 0)
    if let failure = page.failure { throw WaxwingError(.unavailable, failure) }
    let points = page.points.filter { $0.refusal == nil && $0.kind != .other }
    let refusals = page.points.compactMap { point in
      point.refusal.map { TraceRefusal(selector: point.selector, reason: $0) }
    }
    guard page.next == nil, points.count <= Self.mostPoints else {
      throw WaxwingError(
        .refused, "more than \(Self.mostPoints) functions match `\(request.pattern)`",
        remedy: "use a longer part of the names; `waxwing points` lists them")
    }
    guard !points.isEmpty else {
      throw WaxwingError(
        .notFound, "no function that can be watched matches `\(request.pattern)`",
        details: refusals.prefix(10).map { "\($0.selector): \($0.reason)" },
        remedy: "`waxwing points` lists the functions")
    }
    do throws(ThreadError) { try timers.start() } catch {
      throw WaxwingError(.unavailable, error.message, remedy: error.remedy)
    }
    let name = state.withLock { state in
      state.last += 1
      return "trace-\(state.last)"
    }
    let source = try TracePatch(name: name, request: request, points: points).source()
    let application = try patches.applyOwn(source, by: actor)
    guard let session = application.applied.first?.session else { throw Self.ended(name) }
    state.withLock {
      $0.traces[name] = Trace(
        session: session.handle,
        patience: min(max(request.patience, 0.1), Self.mostPatience), asked: .now)
    }
    check(name)
    return TraceReport(name: name, points: points.map(\.selector), refusals: refusals)
  }

  /// What a trace has seen since the last time.
  /// - Throws: `WaxwingError` with the code `notFound` if it has ended.
  func batch(of name: String) throws -> TraceBatch {
    let isKnown = state.withLock { state in
      state.traces[name]?.asked = .now
      return state.traces[name] != nil
    }
    guard isKnown else { throw Self.ended(name) }
    do throws(WaxwingError) {
      return TraceText.batch(
        try engine.methods.send("", to: name, waitSeconds: 0, timeoutSeconds: 5))
    } catch {
      throw error.code == .notFound ? Self.ended(name) : error
    }
  }

  private static func ended(_ name: String) -> WaxwingError {
    WaxwingError(
      .notFound, "\(name) has ended: it was reverted, or all patches were restored",
      remedy: "begin a new trace")
  }

  /// Ends the trace if nobody has asked for so long; else looks again later.
  private func check(_ name: String) {
    guard let patience = state.withLock({ $0.traces[name]?.patience }) else { return }
    timers.run(after: patience / 3) { [self] in
      let trace = state.withLock { $0.traces[name] }
      guard let trace, isLive(trace) else {
        return state.withLock { $0.traces[name] = nil }
      }
      guard trace.asked.advanced(bySeconds: patience).isPast else { return check(name) }
      state.withLock { $0.traces[name] = nil }
      _ = try? patches.end(trace.session, waitAtMost: .seconds(5))
    }
  }

  private func isLive(_ trace: Trace) -> Bool {
    engine.sessions.live.contains { $0.number == trace.session.number }
  }
}
