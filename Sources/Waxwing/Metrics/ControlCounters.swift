// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingCore

/// How often things have happened that are not a call's.
final class ControlCounters: EngineObserver {
  /// The operations of the engine that are counted.
  enum Kind: String {
    case apply, end

    var results: [String] {
      switch self {
      case .apply: ["done", "unchanged", "refused", "conflict", "failed"]
      case .end: ["done", "partial", "failed"]
      }
    }
  }

  private let counts = Mutex<[String: Int]>([:])

  init() {}

  /// Counts an operation.
  func count(_ kind: Kind, _ result: String) { count("\(kind.rawValue) \(result)") }

  func count(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }

  func signatureWasRefused() { count("signature refused") }

  var all: [String: Int] { counts.withLock { $0 } }

  /// The result under which a failed operation is counted.
  static func result(of error: any Error) -> String {
    switch (error as? WaxwingError)?.code {
    case .refused?, .notFound?: "refused"
    case .conflict?, .stalled?: "conflict"
    default: "failed"
    }
  }
}
