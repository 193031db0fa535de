// SPDX-License-Identifier: MIT

/// An option of a command, with its line in the help.
package struct FleetOption: Hashable, Sendable {
  /// With its dashes.
  package let name: String
  /// What the help calls its value; nil: it has none.
  package let value: String?
  /// One line.
  package let help: String

  /// Creates an option.
  package init(_ name: String, _ value: String? = nil, _ help: String) {
    self.name = name
    self.value = value
    self.help = help
  }

  /// `--json`, which every command has that prints something to read.
  package static let json = FleetOption("--json", nil, "print JSON")
}
