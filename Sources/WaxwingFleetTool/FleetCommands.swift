// SPDX-License-Identifier: MIT

import WaxwingFleetCLI

/// All commands, in the order of the help.
enum FleetCommands {
  static let all: [any FleetCommand] = [
    ControlCommand(), ConsoleCommand(),
  ]
}
