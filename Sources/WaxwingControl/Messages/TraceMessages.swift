// SPDX-License-Identifier: MIT

import Glibc

/// Asks for calls of functions to be watched.
package struct TraceRequest: Hashable, Sendable, Codable {
  /// A text that the selectors contain.
  package var pattern: String
  /// Whether calls are counted, and none of them is shown.
  package var counts = false
  /// The number of calls to show.
  package var most: Int?
  /// The number of calls of which one is shown.
  package var sample = 1
  /// Show calls that are nested no deeper, the outermost being 1.
  package var depth: Int?
  /// A Lua expression over `self`, `args`, `result`, `error` and `cost`: which calls to show.
  package var condition: String?
  /// A Lua expression with the same variables, whose value is shown, too.
  package var shown: String?
  /// How many of the callers of each call to tell; nil: none.
  package var callers: Int?
  /// Whether properties of objects that can change are shown; nil: they are not.
  package var showsFields: Bool?
  /// The seconds without a request after which the trace ends.
  package var patience = ControlProtocol.watchPatience

  package init(pattern: String) { self.pattern = pattern }

  /// Whether code of the client's runs in the program.
  package var hasExpressions: Bool { condition != nil || shown != nil }
}

/// The functions that a trace watches.
package struct TraceReport: Hashable, Sendable, Codable {
  /// The patch that does it; to revert it is to end it.
  package let name: String
  /// The selectors, in the order by which calls name them, from 1.
  package let points: [String]
  /// Functions that match and cannot be watched.
  package let refusals: [TraceRefusal]
  /// The files with the program's code; nil if the client has not asked for callers.
  package var images: [ProgramImage]?
  /// Which of the functions have calls that are not seen, and why; nil: none, as far as the program tells.
  package var missed: [TraceRefusal]?

  package init(
    name: String, points: [String], refusals: [TraceRefusal], images: [ProgramImage]? = nil,
    missed: [TraceRefusal] = []
  ) {
    self.missed = missed.isEmpty ? nil : missed
    self.name = name
    self.points = points
    self.refusals = refusals
    self.images = images
  }
}

/// A file that is loaded into the program.
package struct ProgramImage: Hashable, Sendable, Codable {
  package let path: String
  /// The offset between addresses in the file and addresses in memory.
  package let base: UInt

  package init(path: String, base: UInt) {
    self.path = path
    self.base = base
  }
}

/// A function that cannot be watched, or of which some calls cannot.
package struct TraceRefusal: Hashable, Sendable, Codable {
  package let selector: String
  package let reason: String

  package init(selector: String, reason: String) {
    self.selector = selector
    self.reason = reason
  }
}

/// The calls since the last request.
package struct TraceBatch: Hashable, Sendable, Codable {
  /// The calls in the order in which they ended.
  package var calls: [TracedCall] = []
  package var counts: [TraceCount] = []
  /// Calls that there was no room for.
  package var dropped = 0

  package init() {}
}

/// One call of a function that is watched. Values are text.
package struct TracedCall: Hashable, Sendable, Codable {
  /// The function's place in the report, from 1.
  package let point: Int
  /// 1 for the outermost call of a thread.
  package let level: Int
  /// The kernel's number of the thread that the call ended on.
  package let thread: Int
  /// The time at which the call began, in seconds since 1970.
  package let began: Double
  /// How long it took, in seconds.
  package let cost: Double
  package let succeeded: Bool
  /// The receiver of the call; empty for a free function.
  package let receiver: String
  package let arguments: String
  /// The result, or the error; empty if there is none.
  package let outcome: String
  /// The value of the expression to show.
  package let shown: String
  /// Addresses in the functions that led to the call, innermost first; nil if the client has not
  /// asked for them.
  package var callers: [UInt]?

  package init(
    point: Int, level: Int, thread: Int, began: Double, cost: Double, succeeded: Bool,
    receiver: String, arguments: String, outcome: String, shown: String, callers: [UInt]? = nil
  ) {
    self.callers = callers
    self.point = point
    self.level = level
    self.thread = thread
    self.began = began
    self.cost = cost
    self.succeeded = succeeded
    self.receiver = receiver
    self.arguments = arguments
    self.outcome = outcome
    self.shown = shown
  }
}

/// How often a function was called, and how long that took, in seconds.
package struct TraceCount: Hashable, Sendable, Codable {
  /// The function's place in the report, from 1.
  package let point: Int
  package let calls: Int
  package let errors: Int
  /// The time of all calls together.
  package let sum: Double
  package let longest: Double
  /// How many calls took how long: the number of the bucket, see ``quantile(_:)``, and how many are in it.
  package let buckets: [Int: Int]

  package init(
    point: Int, calls: Int, errors: Int, sum: Double, longest: Double, buckets: [Int: Int]
  ) {
    self.point = point
    self.calls = calls
    self.errors = errors
    self.sum = sum
    self.longest = longest
    self.buckets = buckets
  }

  /// The time that a share of all calls did not exceed, in seconds, to within a fifth.
  package func quantile(_ share: Double) -> Double {
    let wanted = Double(calls) * share
    var seen = 0
    for (bucket, count) in buckets.sorted(by: { $0.key < $1.key }) {
      seen += count
      if Double(seen) >= wanted { return min(longest, Self.end(of: bucket)) }
    }
    return longest
  }

  /// The end of a bucket. There are four buckets for each power of two of a microsecond; those
  /// below 0 are for times below one microsecond.
  private static func end(of bucket: Int) -> Double { 1e-6 * exp2(Double(bucket) / 4) }

  /// The bucket of a call that has taken this long.
  package static func bucket(nanoseconds: UInt64) -> Int {
    Int((log2(Double(max(1, nanoseconds)) / 1000) * 4).rounded(.up))
  }
}
