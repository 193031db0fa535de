// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingFleet
import WaxwingFleetCLI
import WaxwingHelp

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
  }

  func run(_ arguments: FleetArguments, _ console: FleetConsole) throws(FleetError) -> FleetExit {
    let fleet = try FleetAccess(arguments)
    let selector = try NodeSelector(arguments.positional.first ?? "all")
    let nodes = try fleet.nodes().filter { selector.matches($0.info) }
    if arguments.has(.json) {
      try console.print(json: nodes.map { Row(info: $0.info, report: $0.report) })
    } else {
      console.print(NodeTable.lines(nodes))
    }
    return .success
  }
}

/// Nodes as a table.
enum NodeTable {
  static func lines(_ nodes: [FleetAccess.Node]) -> [String] {
    var table = FleetTable([
      "NODE", "SET", "STATE", "DAEMONS", "CALLS", "FAULTS", "RESTARTS", "NOTE",
    ])
    for node in nodes {
      let report = node.report
      table.rows.append([
        node.info.node, place(report), state(report), "\(report?.daemons ?? 0)",
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

  private static func state(_ report: NodeReport?) -> String {
    guard let report else { return "silent" }
    if report.isHalted { return report.isBaseline ? "halted" : "halting" }
    guard report.isConverged else { return "waiting" }
    return report.isOnTrial ? "on trial" : "settled"
  }
}
