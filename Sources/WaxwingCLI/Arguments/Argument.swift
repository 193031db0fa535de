// SPDX-License-Identifier: MIT

import WaxwingDeclarations

/// A positional argument of a command: a line of its help, and what it can be completed with.
struct Argument: Sendable {
  /// A placeholder, `PATCH`, or a word that is typed as it is, `verify`.
  let term: String
  let meaning: String
  let kinds: [ValueKind]
  /// Where it stands if that does not follow from the ones before; 1 is the first.
  let position: Int?

  init(_ term: String, _ meaning: String, _ kinds: ValueKind..., at position: Int? = nil) {
    self.term = term
    self.meaning = meaning
    self.kinds = kinds
    self.position = position
  }

  /// A word that chooses what the command does: it stands first.
  static func word(_ term: String, _ meaning: String) -> Argument {
    Argument(term, meaning, .words([term]), at: 1)
  }

  var entry: HelpEntry { HelpEntry(term, meaning) }

  var isWord: Bool { kinds == [.words([term])] }
}

extension Command {
  /// What can stand at each position. If the command takes more arguments, the last one repeats.
  var positions: [[Argument]] {
    var positions: [[Argument]] = []
    var next = arguments.contains(where: \.isWord) ? 2 : 1
    for argument in arguments {
      let position = argument.position ?? next
      if !argument.isWord { next = position + 1 }
      while positions.count < position { positions.append([]) }
      positions[position - 1].append(argument)
    }
    return positions
  }

  /// Whether there may be more arguments than `positions`.
  var repeatsLastArgument: Bool { !positions.isEmpty && argumentCount.upperBound > positions.count }

  /// The command's words at the first position.
  var firstWords: [String] { arguments.filter(\.isWord).map(\.term) }

  /// What is wanted at a position, counted from 0: `PATCH`, `check or reload`.
  func titles(at index: Int) -> String { Self.choice(positions[index].map(\.term)) }

  private static func choice(_ words: [String]) -> String {
    guard words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) or \(words[words.count - 1])"
  }

  /// Refuses a first argument that is none of the command's words.
  func unknownWord(_ word: String) -> CommandError {
    .usage(
      "'\(word)' is not \(Self.choice(firstWords))", command: name,
      remedy: NearestNames.question(for: word, in: firstWords))
  }
}
