// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing version`: the tool's version.
struct VersionCommand: Command {
  let name = "version"
  let summary = "shows the tool's version and its protocol version"
  let usage = ["[--json]"]
  let options = [Option.json]
  let examples = ["waxwing version"]
  let argumentCount = 0...0

  private struct Document: Encodable {
    let version: String
    let protocolVersion: Int
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    if arguments.has(.json) {
      try console.print(
        json: Document(
          version: ControlProtocol.engineVersion, protocolVersion: ControlProtocol.version))
      return .success
    }
    console.print(
      "waxwing \(ControlProtocol.engineVersion) (control protocol \(ControlProtocol.version))")
    return .success
  }
}
