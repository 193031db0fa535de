// SPDX-License-Identifier: MIT

import Glibc

exit(CommandLineTool(console: Console()).run(Array(CommandLine.arguments.dropFirst())).rawValue)
