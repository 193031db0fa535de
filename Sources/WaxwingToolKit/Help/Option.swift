// SPDX-License-Identifier: MIT

/// An option of a command.
package struct Option: Sendable {
  /// The name of the option with its dashes, such as `--wait`.
  package let name: String
  /// The name of the value in the help; nil for a switch.
  let value: String?
  let meaning: String
  /// The possible completions of the value.
  let kinds: [ValueKind]
  /// Whether the option may be given several times.
  let repeats: Bool
  /// Whether an empty value is allowed, which replaces a value from the environment or a file.
  let allowsEmpty: Bool

  /// Creates an option.
  package init(
    _ name: String, _ value: String? = nil, _ meaning: String, _ kinds: ValueKind...,
    repeats: Bool = false, allowsEmpty: Bool = false
  ) {
    self.name = name
    self.value = value
    self.meaning = meaning
    self.kinds = kinds
    self.repeats = repeats
    self.allowsEmpty = allowsEmpty
  }

  /// The option's line in the help.
  var entry: HelpEntry {
    HelpEntry([name, value].compactMap(\.self).joined(separator: " "), meaning)
  }

  /// Every command has it.
  static let help = Option("--help", nil, "show this text")
}
