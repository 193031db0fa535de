// SPDX-License-Identifier: MIT

import WaxwingFleet
import WaxwingToolKit

/// `waxwing-fleet halt`: everybody back to baseline, now.
struct HaltCommand: FleetCommand {
  let name = "halt"
  let summary = "puts every node back to baseline now, and keeps it there until it is lifted"
  let usage = ["[--why TEXT] [--json]", "--lift [--why TEXT] [--json]"]
  private static let lift = Option(
    "--lift", nil, "ends the halt: nodes go where the rollouts say")
  let options = [Self.lift, Option.why, .json]

  func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let fleet = try FleetAccess(arguments)
    let key = fleet.store.keys.key(.halt)
    let isLifted = arguments.has(Self.lift)
    let halt = Halt(why: arguments["--why"] ?? "", by: Operator.name)
    if isLifted {
      guard try fleet.halt() != nil else {
        throw FleetError(.conflict, "there is no halt", remedy: "look with `waxwing-fleet status`")
      }
      try fleet.store.backend.delete(key)
    } else {
      try fleet.store.backend.put(key, DocumentCoder.encode(halt))
    }
    try fleet.log.append(FleetLogEntry(isLifted ? "lifted" : "halted", by: halt.by, why: halt.why))
    if arguments.has(.json) {
      try console.print(json: ["isHalted": !isLifted])
    } else {
      console.print(
        isLifted
          ? "lifted: each node goes where the rollouts say" : "halted: every node goes to baseline")
    }
    return .success
  }
}
