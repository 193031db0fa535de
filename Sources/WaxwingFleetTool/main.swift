// SPDX-License-Identifier: MIT

import Glibc
import WaxwingFleet
import WaxwingToolKit

let program = FleetProgram(
  name: "waxwing-fleet", summary: "rolls patches out over many machines, and back",
  commands: FleetCommands.all)
exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
