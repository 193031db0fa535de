// SPDX-License-Identifier: MIT

import WaxwingFleet
import WaxwingToolKit

/// `waxwing-fleet diff`: what two sets differ in, or which nodes are not where they should be.
struct DiffCommand: FleetCommand {
  let name = "diff"
  let summary = "shows what two sets differ in, or which nodes are not where they should be"
  let usage = ["[--json]", "SET SET [--json]"]
  let arguments = [Argument("SET", "the set's name, or how it begins")]
  let options = [Option.json]
  let argumentCount = 0...2

  private struct Change: Encodable {
    let patch: String
    let before: FleetSet.Patch?
    let after: FleetSet.Patch?
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let fleet = try FleetAccess(arguments)
    switch arguments.positional.count {
    case 0: return try printNodes(fleet, arguments, console)
    case 2:
      let sets = arguments.positional
      let changes = changes(
        try fleet.set(try fleet.setID(sets[0])), try fleet.set(try fleet.setID(sets[1])))
      if arguments.has(.json) {
        try console.print(json: ["changes": changes])
      } else {
        console.print(changes.isEmpty ? ["the same patches"] : changes.flatMap(lines))
      }
      return .success
    default:
      throw FleetError(.invalid, "name two sets, or none", remedy: "see --help")
    }
  }

  private func changes(_ before: FleetSet, _ after: FleetSet) -> [Change] {
    let names = Set((before.patches + after.patches).map(\.name)).sorted()
    return names.compactMap { name in
      let old = before.patches.first { $0.name == name }
      let new = after.patches.first { $0.name == name }
      return old == new ? nil : Change(patch: name, before: old, after: new)
    }
  }

  private func lines(_ change: Change) -> [String] {
    [
      change.before.map { "-" + $0.line.dropFirst() },
      change.after.map { "+" + $0.line.dropFirst() },
    ]
    .compactMap { $0 }
  }

  private func printNodes(
    _ fleet: FleetAccess, _ arguments: ParsedArguments, _ console: Console
  ) throws -> ExitCode {
    let goals = try FleetGoals(fleet)
    let late = try fleet.nodes().filter { !goals.isThere($0) }
    if arguments.has(.json) {
      try console.print(json: ["nodes": late.map { NodesCommand.Row($0, goals) }])
    } else {
      console.print(
        late.isEmpty ? ["every node is where it should be"] : NodeTable.lines(late, goals))
    }
    return .success
  }
}
