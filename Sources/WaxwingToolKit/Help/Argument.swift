// SPDX-License-Identifier: MIT

/// A positional argument of a command: its line in the help, and its completion.
package struct Argument: Sendable {
  /// A placeholder, `PATCH`, or a word that is typed as it is, `verify`.
  let term: String
  let meaning: String
  let kinds: [ValueKind]
  /// The positions of the argument if they do not follow from the ones before; 1 is the first.
  let places: [Int]
  /// Whether the argument says which daemon the command asks. The parser takes it out of the other arguments.
  let choosesDaemon: Bool

  /// Creates an argument.
  package init(_ term: String, _ meaning: String, _ kinds: ValueKind..., at position: Int? = nil) {
    self.term = term
    self.meaning = meaning
    self.kinds = kinds
    places = position.map { [$0] } ?? []
    choosesDaemon = false
  }

  private init(daemonAt places: [Int]) {
    (term, meaning, kinds) = ("PROGRAM", "the daemon's program name", [.daemon])
    self.places = places
    choosesDaemon = true
  }

  /// The daemon that the command asks, as the last argument.
  package static let daemon = Argument(daemonAt: [])

  /// The daemon that the command asks, at these positions: for a command whose arguments before it may be missing.
  package static func daemon(at places: Int...) -> Argument { Argument(daemonAt: places) }

  /// A word that chooses what the command does: it stands first.
  package static func word(_ term: String, _ meaning: String) -> Argument {
    Argument(term, meaning, .words([term]), at: 1)
  }

  /// The argument's line in the help.
  var entry: HelpEntry { HelpEntry(term, meaning) }

  /// Whether the argument is a word that is typed as it is.
  var isWord: Bool { kinds == [.words([term])] }
}
