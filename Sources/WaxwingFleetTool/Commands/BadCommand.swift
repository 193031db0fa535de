// SPDX-License-Identifier: MIT

import WaxwingFleet
import WaxwingToolKit

/// `waxwing-fleet bad`: marks a set, or takes the mark away.
struct BadCommand: FleetCommand {
  let name = "bad"
  let summary = "marks a set as bad, so that no rollout of it is started"
  let usage = ["SET [--why TEXT] [--json]", "SET --lift [--json]"]
  private static let lift = Option("--lift", nil, "takes the mark away")
  let options = [Option.why, Self.lift, .json]
  let arguments = [Argument("SET", "the set's name, or how it begins")]
  let argumentCount = 1...1

  private struct Document: Encodable {
    let set: String
    let isBad: Bool
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let fleet = try FleetAccess(arguments)
    let id = try fleet.setID(arguments.positional[0])
    let key = fleet.store.keys.key(.bad(id))
    let why = arguments["--why"] ?? ""
    if arguments.has(Self.lift) {
      try fleet.store.backend.delete(key)
    } else {
      let mark = BadSet(why: why, rollout: "", by: Operator.name)
      try fleet.store.backend.put(key, DocumentCoder.encode(mark))
    }
    let event = arguments.has(Self.lift) ? "unmarked" : "marked"
    try fleet.log.append(FleetLogEntry(event, by: Operator.name, set: id, why: why))
    if arguments.has(.json) {
      try console.print(json: Document(set: id, isBad: !arguments.has(Self.lift)))
    } else {
      console.print("\(event): set \(id.prefix(12))")
    }
    return .success
  }
}
