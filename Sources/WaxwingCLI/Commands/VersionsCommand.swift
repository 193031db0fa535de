// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing versions`: how many patches change each type.
struct VersionsCommand: Command {
  let name = "versions"
  let summary = "shows the class versions: how many live patches change each type"
  let usage = ["[TYPE [PROGRAM]] [--program NAME | --socket PATH] [--json]"]
  let arguments = [
    Argument("TYPE", "a type or module (default: all that are changed)"), .daemon,
  ]
  let options = Option.daemon + [.json]
  let notes = ["A type at version 0 is unchanged."]
  let examples = ["waxwing versions", "waxwing versions Bank.Account --program bankd"]
  let argumentCount = 0...2

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let daemon = try Daemon(at: try DaemonLocator(arguments).path(), arguments)
    let request = VersionsRequest(type: arguments.positional.first)
    let versions = try daemon.send(request)
    if arguments.has(.json) {
      try console.print(json: ["types": versions], of: daemon.info)
    } else {
      console.print(lines(versions, daemon.title), as: versions.isEmpty ? .plain : .table)
    }
    return .success
  }

  private func lines(_ versions: [TypeVersion], _ daemon: String) -> [String] {
    guard !versions.isEmpty else { return ["\(daemon): all types are at version 0"] }
    var table = TextTable(columns: [
      "TYPE", .number("VERSION"), "PATCHES",
    ])
    table.rows = versions.map {
      [
        $0.type, "\($0.version)",
        $0.patches.isEmpty ? "(none)" : $0.patches.joined(separator: ", "),
      ]
    }
    return table.lines
  }
}
