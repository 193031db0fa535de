// SPDX-License-Identifier: MIT

import Synchronization

/// How often things have happened that are not a call's.
package final class ControlCounters: Sendable {
  /// What can be asked of the engine, with what can become of it.
  package enum Kind: String {
    case apply, end

    package var results: [String] {
      switch self {
      case .apply: ["done", "unchanged", "refused", "conflict", "failed"]
      case .end: ["done", "partial", "failed"]
      }
    }
  }

  private let counts = Mutex<[String: Int]>([:])

  package init() {}

  /// Counts an operation.
  package func count(_ kind: Kind, _ result: String) { count("\(kind.rawValue) \(result)") }

  package func count(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }

  package var all: [String: Int] { counts.withLock { $0 } }

  /// What becomes of an operation that fails.
  package static func result(of error: any Error) -> String {
    switch (error as? WaxwingError)?.code {
    case .refused?, .notFound?: "refused"
    case .conflict?, .stalled?: "conflict"
    default: "failed"
    }
  }
}
