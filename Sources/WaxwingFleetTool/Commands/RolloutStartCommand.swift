// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingFleet
import WaxwingPatches
import WaxwingToolKit

/// `waxwing-fleet rollout start`: signs a rollout, and lets it begin.
struct RolloutStartCommand: FleetCommand {
  let name = "rollout start"
  let summary = "starts to bring a set to the nodes, stage by stage"
  let usage = [
    "SET [--to SELECTOR] [--stages LIST] [--canaries NODES] [--bake TIME] [--expires TIME] [--min-calls N] "
      + "[--min-nodes N] [--forget ROLLOUTS] [--force] [--unseen] [--dry-run] [--key FILE] [--json]"
  ]
  let arguments = [Argument("SET", "the set's name, or how it begins")]
  private static let force = Option("--force", nil, "also a set that was found bad")
  private static let unseen = Option(
    "--unseen", nil, "also if no node is there for a word of the selector, a canary or a stage")
  private static let dryRun = Option("--dry-run", nil, "show what it means, and sign nothing")
  let options = [
    Option("--to", "SELECTOR", "which nodes: all, or terms as in region=eu,tier!=test (all)"),
    Option("--stages", "LIST", "shares of the nodes (canary,1%,5%,25%,100%)"),
    Option(
      "--canaries", "NODES", "the nodes of the stage canary (those labelled canary=true)"),
    Option("--bake", "TIME", "how long a stage lasts at least (10m)"),
    Option("--expires", "TIME", "after how long no node goes to the set any more (30d)"),
    Option("--min-calls", "N", "calls that a stage needs to be judged (1000)"),
    Option("--min-nodes", "N", "nodes that a stage needs to be judged (1)"),
    Option("--forget", "ROLLOUTS", "finished rollouts that do not count any more, with commas"),
    Self.force, Self.unseen, Self.dryRun, DocumentSigner.option, .json,
  ]
  let notes = [
    """
    All finished rollouts and this one decide where each node should be: the last one that selects
    the node counts. `waxwing-fleet status` lists them. An abort returns nodes to the sets that the
    earlier rollouts give them.
    """,
    """
    A share is never exceeded: 50% of 3 nodes is one. Before anything is signed, the command shows
    the number of nodes of each stage, and refuses a selector, a canary or a stage without nodes.
    """,
    """
    The command only writes documents. A controller, `waxwing-fleet control`, moves the rollout from
    stage to stage, or back. A stage may have a time of its own: canary@30m,5%,100%.
    """,
  ]
  let examples = [
    "waxwing-fleet rollout start 492005b4 --to region=eu --stages canary,5%,100%"
  ]
  let argumentCount = 1...1

  private struct Document: Encodable {
    let rollout: String
    let description: Rollout
    /// How many nodes each stage means.
    let counts: [Int]
    let nodes: Int
    /// Nodes by where they come back to: a set's name, or `baseline`.
    let places: [String: Int]
    /// Nil: nothing was started.
    let state: RolloutState?

    init(_ preview: RolloutPreview, _ state: RolloutState?) {
      rollout = preview.id
      description = preview.rollout
      counts = preview.counts
      nodes = preview.selected.count
      places = preview.places
      self.state = state
    }
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let fleet = try FleetAccess(arguments)
    let id = try fleet.setID(arguments.positional[0])
    let set = try fleet.set(id)
    try check(id, set, fleet, isForced: arguments.has(Self.force))
    let current = try fleet.state()
    try RunningRollout(fleet).demandNone(current?.state)
    let forgotten = (arguments["--forget"] ?? "").split(separator: ",").map(String.init)
    let base = try FinishedRollouts(fleet, forgotten: forgotten).base(current?.state, console)
    let nodes = try fleet.nodes().map(\.info).filter { $0.program == set.program }
    let rollout = try rollout(id, base, nodes, arguments, fleet)
    let bytes = DocumentCoder.encode(rollout)
    let preview = RolloutPreview(
      nodes: nodes, rollout: rollout, base: base, id: ContentHash(of: bytes).hex)
    try check(preview, console, isForced: arguments.has(Self.unseen))
    if !arguments.has(.json) {
      console.print(["rollout \(preview.id.prefix(12)) of set \(id.prefix(12))"] + preview.lines)
    }
    if arguments.has(Self.dryRun) {
      if arguments.has(.json) { try console.print(json: Document(preview, nil)) }
      return .success
    }
    let state = try start(preview, bytes, current, set, arguments, fleet)
    if arguments.has(.json) {
      try console.print(json: Document(preview, state))
    } else {
      console.print("started rollout \(preview.id.prefix(12)) of set \(id.prefix(12))")
    }
    return .success
  }

  private func rollout(
    _ set: String, _ base: [FleetPlan.Finished], _ nodes: [NodeInfo], _ arguments: ParsedArguments,
    _ fleet: FleetAccess
  ) throws(FleetError) -> Rollout {
    let stages = try RolloutStage.list(
      arguments["--stages"] ?? "canary,1%,5%,25%,100%",
      bakeSeconds: try arguments.wholeSeconds("--bake", days: 30) ?? 600)
    let selector = try NodeSelector(arguments["--to"] ?? "all")
    var gates = RolloutGates()
    gates.minimumCalls = try arguments.number("--min-calls") ?? gates.minimumCalls
    gates.minimumNodes = try arguments.number("--min-nodes") ?? gates.minimumNodes
    let now = Timestamp.now()
    let lifetime = try arguments.wholeSeconds("--expires", days: 3650) ?? 30 * 86_400
    return Rollout(
      serial: try nextSerial(fleet), set: set, base: base.map(\.id), selector: selector.text,
      canaries: try canaries(arguments, stages, selector, nodes), stages: stages, gates: gates,
      expires: Timestamp(secondsSince1970: now.secondsSince1970 + lifetime), startedAt: now)
  }

  private func check(
    _ preview: RolloutPreview, _ console: Console, isForced: Bool
  ) throws(FleetError) {
    let set = preview.rollout.set
    guard preview.selected.isEmpty || Set(preview.places.keys) != [set] else {
      throw FleetError(
        .conflict, "the nodes are at set \(set.prefix(12)) already, by a finished rollout",
        remedy: "look with `waxwing-fleet status`; choose other nodes with --to")
    }
    let doubts = preview.doubts
    if isForced { doubts.forEach { console.warn($0) } }
    guard isForced || doubts.isEmpty else {
      throw FleetError(
        .invalid, doubts.joined(separator: "; "),
        remedy:
          "`waxwing-fleet nodes --json` shows names and labels; --unseen starts it all the same")
    }
    let counts = preview.counts
    let canaries = zip(preview.rollout.stages, counts).first { $0.0.isCanary }?.1 ?? 0
    let selected = preview.selected.count
    for stage in preview.rollout.stages where !stage.isCanary {
      guard canaries > selected * stage.basisPoints / 10_000 else { continue }
      console.warn(
        "the canaries alone are \(canaries) of \(selected) nodes: the stage \(stage.name) adds none"
      )
    }
  }

  /// Signs the rollout, and lets it begin.
  private func start(
    _ preview: RolloutPreview, _ bytes: [UInt8], _ current: (state: RolloutState, revision: Int)?,
    _ set: FleetSet, _ arguments: ParsedArguments, _ fleet: FleetAccess
  ) throws(FleetError) -> RolloutState {
    let document = try DocumentSigner(arguments).signed(bytes, fleet.store.verifier)
    let rollout = preview.rollout
    let state = RolloutState(
      rollout: document.id, phase: .rolling, stage: 0, epoch: (current?.state.epoch ?? 0) + 1,
      since: rollout.startedAt, why: "started", by: Operator.name,
      chosen: rollout.choice(
        of: 0, id: document.id, among: preview.selected.map(\.node), before: nil))
    let key = fleet.store.keys.key(.rollout(document.id))
    _ = try fleet.store.backend.create(key, DocumentCoder.encode(document))
    let entry = FleetLogEntry(
      "started", by: state.by, rollout: document.id, set: rollout.set, why: set.note)
    guard
      try fleet.store.backend.compareAndSwap(
        fleet.store.keys.key(.state), revision: current?.revision ?? 0,
        DocumentCoder.encode(state), with: fleet.log.document(of: entry))
    else {
      throw FleetError(
        .conflict, "another user has started or changed a rollout meanwhile",
        remedy: "look with `waxwing-fleet status`")
    }
    return state
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
    _ arguments: ParsedArguments, _ stages: [RolloutStage], _ selector: NodeSelector,
    _ nodes: [NodeInfo]
  ) throws(FleetError) -> [String] {
    if let text = arguments["--canaries"] {
      let names = text.split(separator: ",").map(String.init)
      for name in names where !FleetKeys.isName(name) {
        throw FleetError(
          .invalid, "'\(name)' is not a node's name",
          remedy: "`waxwing-fleet nodes` lists them")
      }
      return Array(Set(names)).sorted()
    }
    guard stages.contains(where: \.isCanary) else { return [] }
    let names = nodes.filter { $0.labels["canary"] == "true" && selector.matches($0) }
      .map(\.node)
    guard !names.isEmpty else {
      throw FleetError(
        .invalid, "no selected node is labelled canary=true",
        remedy: "name nodes with --canaries, or leave the stage canary out of --stages")
    }
    return names
  }

  /// A serial number above those of all stored rollouts whose signatures are valid.
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
