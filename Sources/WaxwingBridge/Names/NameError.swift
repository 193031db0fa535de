// SPDX-License-Identifier: MIT

/// A name in a script that means nothing, or more than one thing.
package struct NameError: Error, CustomStringConvertible {
  /// What is wrong, with near misses or candidates, and the remedy.
  package let description: String

  init(_ description: String) {
    self.description = description
  }

  /// Nothing has the name.
  package static func unknown(_ what: String, near names: [String]) -> NameError {
    NameError(names.isEmpty ? what : "\(what); did you mean \(list(names))?")
  }

  /// Several things have the name.
  package static func ambiguous(_ name: String, _ candidates: [String]) -> NameError {
    NameError(
      "`\(name)` is ambiguous; write one of:"
        + candidates.sorted().map { "\n    \($0)" }.joined())
  }

  private static func list(_ names: [String]) -> String {
    let quoted = names.map { "`\($0)`" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }
}
