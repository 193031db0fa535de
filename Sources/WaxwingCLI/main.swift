// SPDX-License-Identifier: MIT

import Glibc
import WaxwingToolKit

exit(CommandLineTool(console: Console()).run(Array(CommandLine.arguments.dropFirst())).rawValue)
