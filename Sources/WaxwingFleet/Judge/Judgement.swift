// SPDX-License-Identifier: MIT

/// The judgement of a stage, with its reasons.
package struct Judgement: Codable, Hashable, Sendable {
  /// The three ways on.
  enum Verdict: String, Codable, Sendable {
    /// The next stage may begin.
    case advance
    /// The stage does not change yet.
    case hold
    /// Back to the set before.
    case abort
  }

  var verdict: Verdict
  /// The findings of the gates.
  package var findings: [GateFinding]

  /// The verdict that findings lead to. Without any it is to hold.
  init(_ findings: [GateFinding]) {
    self.findings = findings
    if findings.contains(where: { $0.weight == .harm }) {
      verdict = .abort
    } else if findings.isEmpty || findings.contains(where: { $0.weight == .missing }) {
      verdict = .hold
    } else {
      verdict = .advance
    }
  }

  /// Why, in plain words: the findings that decided.
  var reason: String {
    let decisive: GateFinding.Weight =
      switch verdict {
      case .advance: .passed
      case .hold: .missing
      case .abort: .harm
      }
    let words = findings.filter { $0.weight == decisive }.map(\.words)
    return words.isEmpty ? "nothing is known of the stage" : words.joined(separator: "; ")
  }
}
