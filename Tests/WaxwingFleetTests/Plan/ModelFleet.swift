// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingSystem

@testable import WaxwingFleet

/// A node whose agent decides by the real rules, before a daemon that takes sets as the engine does.
struct ModelNode {
  private struct Live: Equatable {
    var serial: Int?
    var isOnTrial = false
  }

  let info: NodeInfo
  private var live = Live()
  /// What comes back when a trial ends.
  private var before: Int?
  /// The daemon refuses for good what is older.
  private var accepted = 0
  private var generation = 0
  private var pid: Int32 = 1
  private var memory: DaemonMemory?
  private(set) var refusals: [String] = []

  init(_ name: String, region: String) {
    info = NodeInfo(
      node: name, program: "bankd", builds: ["b"], labels: ["region": region], version: "1")
  }

  /// The number of the set that is live.
  var set: Int? { live.serial }
  var isOnTrial: Bool { live.isOnTrial }

  private var sight: ObservedDaemon {
    var sight = ObservedDaemon(pid: pid)
    sight.current = "\(generation)"
    guard let serial = live.serial else { return sight }
    var patch = ObservedDaemon.Patch(name: "fees")
    (patch.version, patch.serial, patch.isOnTrial) = (serial, serial, live.isOnTrial)
    sight.patches = [patch]
    sight.kept = live.isOnTrial ? 0 : 1
    return sight
  }

  // MARK: What happens to it

  mutating func restartAgent() { memory = nil }

  mutating func restartDaemon() {
    pid += 1
    endTrial()
  }

  /// The time of a trial is over.
  mutating func endTrial() {
    guard live.isOnTrial else { return }
    live = Live(serial: before)
    generation += 1
  }

  mutating func obeyHalt() { change(to: Live()) }

  private mutating func change(to new: Live) {
    if !live.isOnTrial { before = live.serial }
    if new.serial == nil { before = nil }
    live = new
    generation += 1
  }

  // MARK: Its agent

  /// Does one step after the other until there is none.
  /// - Returns: The set that the agent says that the node is at; nil: baseline, or it does not know.
  mutating func settle(_ fleet: ModelFleet) -> String? {
    for _ in 0..<6 {
      let known = fleet.sets.map { (id: $0.key, set: $0.value) }.sorted { $0.id < $1.id }
      var situation = NodeSituation(node: info)
      situation.isHalted = fleet.isHalted
      situation.state = fleet.state
      situation.rollout = fleet.newest
      situation.finished = fleet.plan?.finished
      situation.liveSet = sight.set(memory, among: known)
      let goal = situation.goal(at: 0)
      let tried: FleetSet? =
        if case .previous(_, let id) = goal { fleet.sets[id] } else { nil }
      let step = goal.step(
        for: sight, memory, wanted: goal.destination.flatMap { fleet.sets[$0] }, tried: tried)
      switch step {
      case .nothing: return sight.set(memory, among: known)
      case .restore:
        change(to: Live())
        accepted = 0
        memory = nil
      case .endTrial:
        endTrial()
        memory = nil
      case .apply(let id, let isOnTrial): apply(id, isOnTrial, fleet)
      }
    }
    refusals.append("it does not come to rest")
    return nil
  }

  private mutating func apply(_ id: String, _ isOnTrial: Bool, _ fleet: ModelFleet) {
    guard let serial = fleet.sets[id]?.patches.first?.serial, serial >= accepted else {
      refusals.append("set \(id) is older than \(accepted)")
      return
    }
    if !isOnTrial { accepted = serial }
    // What is kept stays so.
    let isKept = live == Live(serial: serial)
    change(to: Live(serial: serial, isOnTrial: isOnTrial && !isKept))
    memory = DaemonMemory(
      pid: pid, current: "\(generation)", set: id, isOnTrial: live.isOnTrial, renewAt: .never)
  }
}

/// A fleet's documents and nodes, and what was asked for in the plainest words, to compare with.
struct ModelFleet {
  /// A rollout as an operator thinks of it.
  struct Wish {
    let set: Int
    /// Nil: all.
    let region: String?
    var isDone = false
    var isAborted = false
  }

  var nodes: [String: ModelNode] = [:]
  var isHalted = false
  private(set) var state: RolloutState?
  private(set) var newest: Rollout?
  private(set) var sets: [String: FleetSet] = [:]
  private(set) var wishes: [Wish] = []
  private var rollouts: [String: Rollout] = [:]

  var plan: FleetPlan? {
    guard let state, let newest else { return nil }
    let base = (newest.base ?? []).map { FleetPlan.Finished(id: $0, rollout: rollouts[$0]) }
    return FleetPlan(state: state, newest: newest, finished: base)
  }

  var isOver: Bool { state?.phase.isFinal ?? true }

  mutating func add(_ name: String, region: String) {
    nodes[name] = ModelNode(name, region: region)
  }

  /// Starts a rollout of a new set, as the tool does.
  mutating func start(to region: String?, stages: String = "canary,50%,100%") throws {
    guard isOver else { return }
    var base = plan?.finished ?? []
    if let state, let newest, state.phase == .done {
      base.append(.init(id: state.rollout, rollout: newest))
    }
    let number = wishes.count + 1
    let set = "set\(number)"
    sets[set] = FleetSet(
      program: "bankd",
      patches: [.init(name: "fees", version: number, serial: number, blob: "")])
    let selector = region.map { "region=\($0)" } ?? "all"
    let rollout = Rollout(
      serial: number, set: set, base: FleetPlan.withoutCovered(base).map(\.id),
      selector: selector, canaries: selected(region).prefix(1).map { $0 },
      stages: try RolloutStage.list(stages, bakeSeconds: 1),
      expires: Timestamp(secondsSince1970: 1))
    let id = "rollout\(number)"
    (newest, rollouts[id]) = (rollout, rollout)
    state = RolloutState(
      rollout: id, phase: .rolling, epoch: (state?.epoch ?? 0) + 1,
      chosen: rollout.choice(of: 0, id: id, among: selected(region), before: nil))
    wishes.append(Wish(set: number, region: region))
  }

  /// Moves the rollout to its next stage, or to its end.
  mutating func advance() {
    guard let state, let newest, state.phase == .rolling else { return }
    let next = state.stage + 1
    let isLast = next == newest.stages.count
    if isLast { wishes[wishes.count - 1].isDone = true }
    self.state = state.changed(
      to: isLast ? .done : .rolling, stage: isLast ? nil : next,
      chosen: newest.choice(
        of: next, id: state.rollout, among: selected(wishes[wishes.count - 1].region),
        before: state.chosen), why: "", by: "")
  }

  mutating func finish() { while !isOver { advance() } }

  mutating func abort() {
    guard !isOver, let state else { return }
    wishes[wishes.count - 1].isAborted = true
    self.state = state.changed(to: .rolledBack, why: "", by: "")
  }

  mutating func halt() {
    isHalted = true
    for name in nodes.keys { nodes[name]?.obeyHalt() }
  }

  private func selected(_ region: String?) -> [String] {
    nodes.values.map(\.info).filter { region == nil || $0.labels["region"] == region }
      .map(\.node).sorted()
  }

  /// Where a node should be, from what was asked for; nil: at baseline.
  func wish(for node: NodeInfo) -> Int? {
    if isHalted { return nil }
    for wish in wishes.reversed() where !wish.isAborted {
      guard wish.region == nil || node.labels["region"] == wish.region else { continue }
      if wish.isDone { return wish.set }
      if let state, newest?.includes(node.node, in: state) == true { return wish.set }
    }
    return nil
  }

  /// Lets all agents work, and names what is not as it should be.
  mutating func settle() -> [String] {
    var wrong: [String] = []
    for name in nodes.keys.sorted() {
      guard var node = nodes[name] else { continue }
      let said = node.settle(self)
      let wanted = wish(for: node.info)
      if node.set != wanted {
        wrong.append("\(name) is at \(node.set ?? 0), and should be at \(wanted ?? 0)")
      }
      if said != wanted.map({ "set\($0)" }) { wrong.append("\(name) says \(said ?? "nothing")") }
      let isTried = wanted != nil && wanted == wishes.count && !isOver
      if node.isOnTrial, !isTried { wrong.append("\(name) is on trial") }
      wrong += node.refusals.map { "\(name): \($0)" }
      nodes[name] = node
    }
    return wrong
  }
}
