// SPDX-License-Identifier: MIT

/// A command as the scripts for shells need it.
struct CommandCompletion {
  let name: String
  let summary: String
  let options: [Option]
  let positions: [[Argument]]
  let repeatsLast: Bool
  let passesArgumentsOn: Bool
  /// The program whose completion continues after the command.
  let successor: String?

  /// A command of two words is one of the first word, whose first argument is the second.
  init(_ command: any DescribedCommand) {
    let words = command.name.split(separator: " ").map(String.init)
    name = words.first ?? ""
    summary = command.summary
    options = command.options + [.help]
    let further = words.dropFirst().map { [Argument.word($0, command.summary)] }
    positions = further + command.positions
    repeatsLast = command.repeatsLastArgument
    passesArgumentsOn = command.passesArgumentsOn
    successor = command.successor
  }

  /// The names of the options that take a value.
  var valued: [String] { options.filter { $0.value != nil }.map(\.name) }

  /// The words that can stand at a position, each with its meaning.
  static func words(at position: [Argument]) -> [HelpEntry] {
    position.filter(\.isWord).map(\.entry)
  }

  /// The other kinds of values that can stand there.
  static func kinds(at position: [Argument]) -> [ValueKind] {
    position.filter { !$0.isWord }.flatMap(\.kinds)
  }
}

extension Option {
  /// The words that its value is one of.
  var words: [String] {
    kinds.flatMap { kind -> [String] in if case .words(let words) = kind { words } else { [] } }
  }
}
