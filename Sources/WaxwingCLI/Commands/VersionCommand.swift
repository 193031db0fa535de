// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing version`: the tool's version.
struct VersionCommand: Command {
  let name = "version"
  let summary = "shows the tool's version and its protocol version"
  let usage = [""]
  let examples = ["waxwing version"]
  let argumentCount = 0...0

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    console.print(
      "waxwing \(ControlProtocol.engineVersion) (control protocol \(ControlProtocol.version))")
    return .success
  }
}
