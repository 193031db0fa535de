// SPDX-License-Identifier: MIT

/// A term and its meaning in a help text.
struct HelpEntry: Sendable {
  let term: String
  let meaning: String

  init(_ term: String, _ meaning: String) {
    self.term = term
    self.meaning = meaning
  }
}
