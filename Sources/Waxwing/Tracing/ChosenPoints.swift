// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingControl
import WaxwingCore

/// The functions that a client wants to watch, by a part of their selectors.
struct ChosenPoints {
  let points: [PointEntry]
  /// Functions that match and cannot be watched.
  let refusals: [TraceRefusal]

  /// Functions of which some calls are not seen.
  var missed: [TraceRefusal] {
    points.compactMap { point in
      point.missed.map { TraceRefusal(selector: point.selector, reason: $0) }
    }
  }

  /// The largest number of points in one choice.
  private static let most = 1000

  /// - Throws: `WaxwingError` if there are none that can be overridden, or too many.
  init(_ pattern: String, _ queries: PatchQueries) throws {
    let page = try queries.points(
      .allWithName, matching: pattern, from: 0, unlessMoreThan: Self.most)
    if let failure = page.failure { throw WaxwingError(.unavailable, failure) }
    points = page.points.filter { $0.refusal == nil && $0.kind != .other }
    refusals = page.points.compactMap { point in
      point.refusal.map { TraceRefusal(selector: point.selector, reason: $0) }
    }
    guard page.next == nil, points.count <= Self.most else {
      throw WaxwingError(
        .refused, "more than \(Self.most) functions match `\(pattern)`",
        remedy: "use a longer part of the names; `waxwing points` lists them")
    }
    guard !points.isEmpty else {
      throw WaxwingError(
        .notFound, "no function that can be overridden matches `\(pattern)`",
        details: refusals.prefix(10).map { "\($0.selector): \($0.reason)" },
        remedy: (refusals.isEmpty ? queries.question(forPart: pattern) : "")
          + (ClosureNames.mayBePart(pattern)
            ? "`waxwing points --closures` lists the closures"
            : "`waxwing points` lists the functions"))
    }
  }
}
