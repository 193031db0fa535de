// SPDX-License-Identifier: MIT

/// A command as its help, its page of the manual and completions show it.
package protocol DescribedCommand: Sendable {
  /// The word or words that call it; empty: the program has no others.
  var name: String { get }
  /// The command in one line for the list of commands, without capital and period.
  var summary: String { get }
  /// The forms that it takes, without the program's name and its own.
  var usage: [String] { get }
  /// The positional arguments and their meanings.
  var arguments: [Argument] { get }
  /// The options of the command except `--help`.
  var options: [Option] { get }
  /// Paragraphs below the options.
  var notes: [String] { get }
  /// Examples, each a whole command line.
  var examples: [String] { get }
  /// How many positional arguments it takes.
  var argumentCount: ClosedRange<Int> { get }
  /// Whether everything after the first positional argument is passed on to another program.
  var passesArgumentsOn: Bool { get }
  /// The program that it becomes, whose completion is that of its arguments; nil: none.
  var successor: String? { get }
}

extension DescribedCommand {
  package var arguments: [Argument] { [] }
  package var options: [Option] { [] }
  package var notes: [String] { [] }
  package var passesArgumentsOn: Bool { false }
  package var successor: String? { nil }
}

extension DescribedCommand {
  /// The arguments that can be at each position. If the command takes more arguments, the last one
  /// repeats.
  var positions: [[Argument]] {
    var positions: [[Argument]] = []
    var next = arguments.contains(where: \.isWord) ? 2 : 1
    for argument in arguments {
      let places = argument.places.isEmpty ? [next] : argument.places
      if !argument.isWord { next = (places.max() ?? 0) + 1 }
      while positions.count < places.max() ?? 0 { positions.append([]) }
      for place in places { positions[place - 1].append(argument) }
    }
    return positions
  }

  /// Whether there may be more arguments than `positions`.
  var repeatsLastArgument: Bool {
    !positions.isEmpty && argumentCount.upperBound > positions.count
  }

  /// Whether its last argument may be there several times, so that no PROGRAM can stand behind it.
  var takesAnyNumber: Bool { argumentCount.upperBound > positions.count }

  /// Whether it asks a daemon, and has the options that say which and for how long.
  var asksDaemon: Bool { options.contains { $0.name == Option.socket.name } }

  /// The command's words at the first position.
  package var firstWords: [String] { arguments.filter(\.isWord).map(\.term) }

  /// The names of the arguments that may stand at a position, counted from 0, such as `PATCH` or
  /// `check or reload`.
  func titles(at index: Int) -> String { wordChoice(positions[index].map(\.term)) }

  /// Words as a sentence names them: `check or reload`.
  func wordChoice(_ words: [String]) -> String {
    guard words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) or \(words[words.count - 1])"
  }
}
