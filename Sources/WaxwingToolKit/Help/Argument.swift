// SPDX-License-Identifier: MIT

/// A positional argument of a command: its line in the help, and its completion.
package struct Argument: Sendable {
  /// A placeholder, `PATCH`, or a word that is typed as it is, `verify`.
  let term: String
  let meaning: String
  let kinds: [ValueKind]
  /// The position of the argument if it does not follow from the ones before; 1 is the first.
  let position: Int?

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

  /// The argument's line in the help.
  var entry: HelpEntry { HelpEntry(term, meaning) }

  /// Whether the argument is a word that is typed as it is.
  var isWord: Bool { kinds == [.words([term])] }
}
