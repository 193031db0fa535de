// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingBridge
import WaxwingControl
import WaxwingCore
import WaxwingInterception

/// The calls of traces that only count: what the engine's histograms have, and had at the last look.
final class TraceCounters: Sendable {
  private let engine: Engine
  /// The counts of the trace's functions in their order, by the trace's name.
  private let seen = Mutex<[String: [TimeCounts]]>([:])

  init(_ engine: Engine) { self.engine = engine }

  /// Begins to measure a trace's calls.
  func begin(_ name: String, session: Int) throws {
    try engine.registry.measureAlways(session)
    seen.withLock { traces in
      // Nobody asks for traces that have ended.
      let live = Set(engine.sessions.live.map(\.name))
      traces = traces.filter { live.contains($0.key) }
      traces[name] = []
    }
  }

  /// Whether calls of the trace are only counted.
  func counts(_ name: String) -> Bool { seen.withLock { $0[name] != nil } }

  /// The calls since the last time, of the functions that had any.
  /// - Parameter errors: How many of them have failed, by the function's number.
  func next(_ name: String, errors: [Int: Int]) -> [TraceCount] {
    let session = engine.sessions.live(named: name)
    let new = (session?.overrides ?? []).map { $0.recorder?.overrides ?? TimeCounts() }
    let old = seen.withLock { traces in
      let old = traces[name] ?? []
      traces[name] = new
      return old
    }
    return new.enumerated().compactMap { index, counts in
      Self.count(
        counts, since: old.indices.contains(index) ? old[index] : TimeCounts(), point: index + 1,
        errors: errors[index + 1] ?? 0)
    }
  }

  private static func count(
    _ new: TimeCounts, since old: TimeCounts, point: Int, errors: Int
  ) -> TraceCount? {
    let before = Dictionary(old.spans.map { ($0.end, $0.calls) }, uniquingKeysWith: &+)
    let spans = new.spans.map { (end: $0.end, calls: Int($0.calls &- (before[$0.end] ?? 0))) }
      .filter { $0.calls > 0 }
    guard let last = spans.last else { return nil }
    let buckets = spans.map { (TraceCount.bucket(nanoseconds: $0.end), $0.calls) }
    return TraceCount(
      point: point, calls: spans.reduce(0) { $0 + $1.calls }, errors: errors,
      sum: Double(new.sum &- old.sum) / 1e9,
      longest: Double(min(last.end, new.longest)) / 1e9,
      buckets: Dictionary(buckets, uniquingKeysWith: +))
  }
}
