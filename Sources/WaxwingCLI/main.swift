// SPDX-License-Identifier: MIT

import Glibc
import WaxwingToolKit

exit(Tool.program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
