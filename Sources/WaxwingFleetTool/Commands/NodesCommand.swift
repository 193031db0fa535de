// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingFleet
import WaxwingToolKit

/// `waxwing-fleet nodes`: what each node is, and where.
struct NodesCommand: FleetCommand {
  let name = "nodes"
  let summary = "lists the nodes whose agents are there, and where they are"
  let usage = ["[SELECTOR] [--json]"]
  let arguments = [Argument("SELECTOR", "which nodes: all, or terms as in region=eu")]
  let options = [Option.json]
  let argumentCount = 0...1

  struct Row: Encodable {
    let info: NodeInfo
    let report: NodeReport?
    /// Where the node should be: a set's name, `baseline`, or `?`.
    let goal: String
    /// The rollout that says so; nil: none does, or there is a halt.
    let decidedBy: String?
    let isThere: Bool

    init(_ node: FleetAccess.Node, _ goals: FleetGoals) {
      info = node.info
      report = node.report
      goal = goals.name(node.info)
      decidedBy = goals.decider(node.info)
      isThere = goals.isThere(node)
    }
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let fleet = try FleetAccess(arguments)
    let selector = try NodeSelector(arguments.positional.first ?? "all")
    let goals = try FleetGoals(fleet)
    let all = try fleet.nodes()
    for term in selector.unknownTerms(among: all.map(\.info)) { console.warn(term) }
    let nodes = all.filter { selector.matches($0.info) }
    if arguments.has(.json) {
      try console.print(json: ["nodes": nodes.map { Row($0, goals) }])
    } else {
      console.print(NodeTable.lines(nodes, goals))
    }
    return .success
  }
}

/// Nodes as a table.
enum NodeTable {
  static func lines(_ nodes: [FleetAccess.Node], _ goals: FleetGoals) -> [String] {
    var table = TextTable(columns: [
      "NODE", "SET", "GOAL", "STATE", .number("DAEMONS"), .number("CALLS"), .number("FAULTS"),
      .number("RESTARTS"), "NOTE",
    ])
    for node in nodes {
      let report = node.report
      table.rows.append([
        node.info.node, place(report), goals.shortName(node.info), state(node, goals),
        "\(report?.daemons ?? 0)",
        "\(report?.counters.calls ?? 0)", "\(report?.counters.faults ?? 0)",
        "\(report?.counters.restarts ?? 0)", report?.trouble ?? "",
      ])
    }
    return table.lines
  }

  static func place(_ report: NodeReport?) -> String {
    guard let report else { return "?" }
    if let set = report.set { return String(set.prefix(12)) }
    return report.isBaseline ? "baseline" : "?"
  }

  private static func state(_ node: FleetAccess.Node, _ goals: FleetGoals) -> String {
    guard let report = node.report else { return "silent" }
    if report.isHalted { return report.isBaseline ? "halted" : "halting" }
    guard goals.isThere(node) else { return "waiting" }
    return report.isOnTrial ? "on trial" : "settled"
  }
}
