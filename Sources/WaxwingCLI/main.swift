// SPDX-License-Identifier: MIT

import Glibc
import WaxwingCommandLine

exit(CommandLineTool(console: Console()).run(Array(CommandLine.arguments.dropFirst())).rawValue)
