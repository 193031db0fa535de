// SPDX-License-Identifier: MIT

import WaxwingFleet
import WaxwingToolKit

/// `waxwing-fleet history`: what was decided, by whom and why.
struct HistoryCommand: FleetCommand {
  let name = "history"
  let summary = "shows what was published, decided and done, by whom and why"
  let usage = ["[-n COUNT] [--json]"]
  let options = [Option("-n", "COUNT", "only so many of the newest (50)"), .json]

  func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let fleet = try FleetAccess(arguments)
    let entries = try fleet.history(try arguments.number("-n") ?? 50)
    if arguments.has(.json) {
      try console.print(json: ["entries": entries])
      return .success
    }
    var table = TextTable(columns: ["TIME", "EVENT", "BY", "ROLLOUT", "SET", "WHY"])
    for entry in entries {
      table.rows.append([
        "\(entry.at)", entry.event, entry.by, String(entry.rollout?.prefix(12) ?? "-"),
        String(entry.set?.prefix(12) ?? "-"), entry.why,
      ])
    }
    console.print(table.lines)
    return .success
  }
}
