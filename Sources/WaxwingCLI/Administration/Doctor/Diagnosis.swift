// SPDX-License-Identifier: MIT

/// A finding of `waxwing doctor`.
struct Diagnosis: Encodable, Hashable {
  enum Verdict: String, Encodable {
    case ok
    /// The subject works, but may not do what is wanted.
    case warning
    /// The subject does not work.
    case failure
  }

  /// The subject of a diagnosis. Scripts depend on these words, so they do not change.
  enum Area: String, Encodable {
    case program, lua, sockets, state, log, clock, limits
  }

  let area: Area
  let verdict: Verdict
  /// The finding, with the name of the file or folder.
  let message: String
  /// The remedy; empty if all is well.
  let remedy: String

  static func ok(_ area: Area, _ message: String) -> Diagnosis {
    Diagnosis(area: area, verdict: .ok, message: message, remedy: "")
  }

  static func warning(_ area: Area, _ message: String, remedy: String) -> Diagnosis {
    Diagnosis(area: area, verdict: .warning, message: message, remedy: remedy)
  }

  static func failure(_ area: Area, _ message: String, remedy: String) -> Diagnosis {
    Diagnosis(area: area, verdict: .failure, message: message, remedy: remedy)
  }

  /// `warning  sockets  …; what to do`
  var line: String {
    let verdict = verdict.rawValue.padded(to: 7)
    let area = area.rawValue.padded(to: 7)
    return "\(verdict)  \(area)  \(message)\(remedy.isEmpty ? "" : "; \(remedy)")"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
