// SPDX-License-Identifier: MIT

/// A verb of the tool: its help as data, and what it does.
protocol Command: Sendable {
  /// The word that calls it.
  var name: String { get }
  /// One line for the list of commands; no capital, no period.
  var summary: String { get }
  /// The forms that it takes, without `waxwing NAME`.
  var usage: [String] { get }
  /// What the positional arguments mean.
  var arguments: [Argument] { get }
  var options: [Option] { get }
  /// Paragraphs below the options.
  var notes: [String] { get }
  /// Whole command lines.
  var examples: [String] { get }
  /// How many positional arguments it takes.
  var argumentCount: ClosedRange<Int> { get }
  /// Whether everything behind the first positional argument is left to somebody else.
  var passesArgumentsOn: Bool { get }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode
}

extension Command {
  var arguments: [Argument] { [] }
  var options: [Option] { [] }
  var notes: [String] { [] }
  var passesArgumentsOn: Bool { false }
}
