// SPDX-License-Identifier: MIT

/// A term and its meaning in a help text.
package struct HelpEntry: Sendable {
  let term: String
  let meaning: String

  /// Creates an entry.
  package init(_ term: String, _ meaning: String) {
    self.term = term
    self.meaning = meaning
  }
}
