// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations

/// Suggestions in messages about values.
package enum NearName {
  /// `; did you mean 'x'?`, or the names that there are, if they are few.
  package static func hint(_ name: String?, among names: [String]) -> String {
    if let name, let question = NearestNames.question(for: name, in: names) {
      return "; \(question)"
    }
    if names.isEmpty || names.count > 8 { return "" }
    return "; there " + (names.count == 1 ? "is " : "are ")
      + names.map { "`\($0)`" }.joined(separator: ", ")
  }
}
