// SPDX-License-Identifier: MIT

import Glibc
import WaxwingFleetCLI

let program = FleetProgram(
  name: "waxwing-agent", summary: "keeps the daemons of a host at what its fleet says",
  commands: [])
exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
