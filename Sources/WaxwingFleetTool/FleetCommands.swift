// SPDX-License-Identifier: MIT

import WaxwingFleet
import WaxwingToolKit

/// All commands, in the order of the help.
enum FleetCommands {
  static let all: [any FleetCommand] = [
    PublishCommand(), RolloutStartCommand(), FleetStatusCommand(), NodesCommand(), DiffCommand(),
    PhaseCommand.pause, PhaseCommand.resume, AbortCommand(), HaltCommand(), BadCommand(),
    HistoryCommand(), FleetDoctorCommand(),
    ControlCommand(), ConsoleCommand(),
  ]
}
