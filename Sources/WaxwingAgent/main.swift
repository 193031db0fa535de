// SPDX-License-Identifier: MIT

import Glibc
import WaxwingFleet
import WaxwingToolKit

// Whoever reads the log may have gone.
signal(SIGPIPE, SIG_IGN)
let program = FleetProgram(
  name: "waxwing-agent", summary: "keeps the daemons of this host where their fleet's rollout says",
  commands: [AgentCommand()])
exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
