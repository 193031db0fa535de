// SPDX-License-Identifier: MIT

/// A name in a script that means nothing, or more than one thing.
package struct NameError: Error, CustomStringConvertible {
  /// A description of the problem with near misses or candidates, and the remedy.
  package let description: String

  init(_ description: String) {
    self.description = description
  }

  /// The error for a name that nothing has.
  package static func unknown(_ what: String, near names: [String]) -> NameError {
    NameError(names.isEmpty ? what : "\(what); did you mean \(list(names))?")
  }

  /// The error for a name that several things have.
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
