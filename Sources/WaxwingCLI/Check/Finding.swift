// SPDX-License-Identifier: MIT

/// A finding of `waxwing check` about one place in a patch.
struct Finding: Hashable {
  enum Severity: String, CaseIterable {
    /// The patch would be rejected, or does something that cannot be intended.
    case error
    /// The place may be wrong.
    case warning
    /// The place is worth knowing about.
    case note
  }

  /// The subject of a finding. Scripts depend on these words, so they do not change.
  enum Rule: String, CaseIterable {
    case syntax, manifest, signature, program, global, type, selector, original, member, parameters
    case value, refused, daemon

    /// The rule in one sentence, for the list of rules in SARIF.
    var meaning: String {
      switch self {
      case .syntax: "The text is Lua 5.4."
      case .manifest: "The manifest is well-formed, and the patch has not expired."
      case .signature: "The signature beside the patch can be read and covers its files."
      case .program: "The patch is for this program and build."
      case .global: "Each global variable that is read exists."
      case .type: "Each type and module exists."
      case .selector: "Each override names one function that has a patch point."
      case .original: "Each ORIG name is one of a function."
      case .member: "Each member of a value is one of its type, or has a name unlike all of these."
      case .parameters: "Overrides take, and calls pass, as many values as there are."
      case .value: "Constants that are passed, returned or assigned can become the Swift type."
      case .refused: "Each function can be overridden."
      case .daemon: "The daemon would load the patch."
      }
    }
  }

  let severity: Severity
  let rule: Rule
  /// The patch's path as the command line gives it.
  let path: String
  /// The line, counted from 1.
  let line: Int
  let column: Int
  /// The problem, without the place.
  let message: String
  /// The remedy; may be empty.
  var remedy = ""
  /// Further lines, such as a traceback.
  var details: [String] = []

  /// `overdraft.lua:6:10: error: …`, as compilers write it and editors read it.
  var lines: [String] {
    let hint = remedy.isEmpty ? "" : "; \(remedy)"
    return ["\(path):\(line):\(column): \(severity.rawValue): \(message)\(hint)"]
      + details.map { "    " + $0 }
  }
}

extension [Finding] {
  /// The findings by file in the order given, then by place, each of them once.
  func inOrder(of paths: [String]) -> [Finding] {
    var seen: Set<Finding> = []
    let ranks = Dictionary(
      paths.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return filter { seen.insert($0).inserted }.sorted { a, b in
      let (first, second) = (ranks[a.path] ?? paths.count, ranks[b.path] ?? paths.count)
      return (first, a.path, a.line, a.column) < (second, b.path, b.line, b.column)
    }
  }

  func count(_ severity: Finding.Severity) -> Int { count { $0.severity == severity } }
}
