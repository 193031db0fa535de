// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingFleet
import WaxwingFleetCLI
import WaxwingHelp

/// `waxwing-fleet rollout start`: signs a rollout, and lets it begin.
struct RolloutStartCommand: FleetCommand {
  let name = "rollout start"
  let summary = "starts to bring a set to the nodes, stage by stage"
  let usage = [
    "SET [--to SELECTOR] [--stages LIST] [--canaries NODES] [--bake TIME] [--from SET] [--expires TIME] "
      + "[--min-calls N] [--min-nodes N] [--force] [--key FILE] [--json]"
  ]
  let arguments = [Argument("SET", "the set's name, or how it begins")]
  let options = [
    Option("--to", "SELECTOR", "which nodes: all, or terms as in region=eu,tier!=test (all)"),
    Option("--stages", "LIST", "shares of the nodes (canary,1%,5%,25%,100%)"),
    Option(
      "--canaries", "NODES", "the nodes of the stage canary (those labelled canary=true)"),
    Option("--bake", "TIME", "how long a stage lasts at least (10m)"),
    Option("--from", "SET", "what nodes come back to, or `baseline` (where they are now)"),
    Option("--expires", "TIME", "after how long no node goes to the set any more (30d)"),
    Option("--min-calls", "N", "calls that a stage needs to be judged (1000)"),
    Option("--min-nodes", "N", "nodes that a stage needs to be judged (1)"),
    Option("--force", nil, "also a set that was found bad"),
    DocumentSigner.option, .json,
  ]
  let notes = [
    """
    It writes documents only. A controller, `waxwing-fleet control`, moves the rollout from stage to
    stage, or back. A stage may have a time of its own: canary@30m,5%,100%.
    """
  ]
  let examples = [
    "waxwing-fleet rollout start 492005b4 --to region=eu --stages canary,1%,5%,25%,100% --bake 10m"
  ]
  let argumentCount = 1...1

  private struct Document: Encodable {
    let rollout: String
    let description: Rollout
    let state: RolloutState
  }

  func run(_ arguments: FleetArguments, _ console: FleetConsole) throws(FleetError) -> FleetExit {
    let fleet = try FleetAccess(arguments)
    let id = try fleet.setID(arguments.positional[0])
    let set = try fleet.set(id)
    try check(id, set, fleet, isForced: arguments.has(Option("--force", nil, "")))
    let current = try fleet.state()
    try RunningRollout(fleet).demandNone(current?.state)
    let stages = try RolloutStage.list(
      arguments["--stages"] ?? "canary,1%,5%,25%,100%",
      bakeSeconds: try arguments.seconds("--bake") ?? 600)
    let selector = try NodeSelector(arguments["--to"] ?? "all")
    let canaries = try canaries(arguments, stages, selector, fleet)
    let previous = try previous(arguments, current?.state, fleet)
    guard previous != id else {
      throw FleetError(
        .conflict, "the nodes are at set \(id.prefix(12)) already",
        remedy: "name with --from the set that they are to come back to, or `baseline`")
    }
    var gates = RolloutGates()
    gates.minimumCalls = try arguments.count("--min-calls") ?? gates.minimumCalls
    gates.minimumNodes = try arguments.count("--min-nodes") ?? gates.minimumNodes
    let now = Timestamp.now()
    let lifetime = try arguments.seconds("--expires") ?? 30 * 86_400
    let rollout = Rollout(
      serial: try nextSerial(fleet), set: id, previous: previous, selector: selector.text,
      canaries: canaries, stages: stages, gates: gates,
      expires: Timestamp(secondsSince1970: now.secondsSince1970 + lifetime), startedAt: now)
    let signer = try DocumentSigner(arguments)
    let document = try signer.signed(DocumentCoder.encode(rollout), fleet.store.verifier)
    let state = RolloutState(
      rollout: document.id, phase: .rolling, stage: 0, epoch: (current?.state.epoch ?? 0) + 1,
      since: now, why: "started", by: Operator.name)
    let key = fleet.store.keys.key(.rollout(document.id))
    _ = try fleet.store.backend.create(key, DocumentCoder.encode(document))
    let entry = FleetLogEntry(
      "started", by: state.by, rollout: document.id, set: id, why: set.note)
    guard
      try fleet.store.backend.compareAndSwap(
        fleet.store.keys.key(.state), revision: current?.revision ?? 0,
        DocumentCoder.encode(state), with: fleet.log.document(of: entry))
    else {
      throw FleetError(
        .conflict, "somebody else has started or changed a rollout meanwhile",
        remedy: "look with `waxwing-fleet status`")
    }
    if arguments.has(.json) {
      try console.print(json: Document(rollout: document.id, description: rollout, state: state))
    } else {
      let list = stages.map { "\($0.name) for \(FleetDuration.text($0.bakeSeconds))" }
      console.print([
        "started rollout \(document.id.prefix(12)) of set \(id.prefix(12))",
        "  to      \(selector.text)",
        "  stages  \(list.joined(separator: ", "))",
        "  back to \(previous.map { "set \($0.prefix(12))" } ?? "baseline")",
      ])
    }
    return .success
  }

  private func check(
    _ id: String, _ set: FleetSet, _ fleet: FleetAccess, isForced: Bool
  ) throws(FleetError) {
    if let expires = set.expires, expires.secondsSince1970 <= Timestamp.now().secondsSince1970 {
      throw FleetError(
        .untrusted, "set \(id.prefix(12)) expired \(expires)", remedy: "publish it again")
    }
    guard !isForced, let bad = try fleet.badSet(id) else { return }
    throw FleetError(
      .untrusted, "set \(id.prefix(12)) was found bad \(bad.at) by \(bad.by): \(bad.why)",
      remedy: "publish a better one, or use --force")
  }

  private func canaries(
    _ arguments: FleetArguments, _ stages: [RolloutStage], _ selector: NodeSelector,
    _ fleet: FleetAccess
  ) throws(FleetError) -> [String] {
    if let text = arguments["--canaries"] {
      let names = text.split(separator: ",").map(String.init)
      for name in names where !FleetKeys.isName(name) {
        throw FleetError(
          .invalid, "'\(name)' is not a node's name",
          remedy: "`waxwing-fleet nodes` lists them")
      }
      return names
    }
    guard stages.contains(where: \.isCanary) else { return [] }
    let names = try fleet.nodes().map(\.info)
      .filter { $0.labels["canary"] == "true" && selector.matches($0) }.map(\.node)
    guard !names.isEmpty else {
      throw FleetError(
        .invalid, "no selected node is labelled canary=true",
        remedy: "name nodes with --canaries, or leave the stage canary out of --stages")
    }
    return names
  }

  /// What nodes are at now, and come back to.
  private func previous(
    _ arguments: FleetArguments, _ state: RolloutState?, _ fleet: FleetAccess
  ) throws(FleetError) -> String? {
    if let text = arguments["--from"] {
      return text == "baseline" ? nil : try fleet.setID(text)
    }
    guard let state else { return nil }
    let rollout = try fleet.rollout(state.rollout)
    return state.phase == .done ? rollout.set : rollout.previous
  }

  /// Above those of all rollouts that somebody may have signed.
  private func nextSerial(_ fleet: FleetAccess) throws(FleetError) -> Int {
    var last = 0
    for entry in try fleet.store.backend.range(fleet.store.keys.prefix(of: "rollouts")).entries {
      guard case .rollout(let id) = fleet.store.keys.document(at: entry.key),
        let rollout = try? fleet.store.verifier.rollout(stored: entry.value, id: id)
      else { continue }
      last = max(last, rollout.serial)
    }
    return last + 1
  }
}
