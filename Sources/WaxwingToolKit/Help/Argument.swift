// SPDX-License-Identifier: MIT

/// A positional argument of a command: a line of its help, and what it can be completed with.
package struct Argument: Sendable {
  /// A placeholder, `PATCH`, or a word that is typed as it is, `verify`.
  package let term: String
  package let meaning: String
  package let kinds: [ValueKind]
  /// Where it stands if that does not follow from the ones before; 1 is the first.
  package let position: Int?

  /// Creates an argument.
  package init(_ term: String, _ meaning: String, _ kinds: ValueKind..., at position: Int? = nil) {
    self.term = term
    self.meaning = meaning
    self.kinds = kinds
    self.position = position
  }

  /// A word that chooses what the command does: it stands first.
  package static func word(_ term: String, _ meaning: String) -> Argument {
    Argument(term, meaning, .words([term]), at: 1)
  }

  /// Its line in help.
  package var entry: HelpEntry { HelpEntry(term, meaning) }

  /// Whether it is typed as it is.
  package var isWord: Bool { kinds == [.words([term])] }
}
