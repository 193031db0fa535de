// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingFleet
import WaxwingPatches
import WaxwingToolKit

/// Reads and changes a fleet for commands.
struct FleetAccess {
  /// A node, as it describes itself.
  struct Node: Sendable {
    let info: NodeInfo
    let report: NodeReport?

    /// Whether the node is where it should be, as far as its report says.
    func isThere(_ place: NodePlace?, isHalted: Bool) -> Bool {
      report?.isAt(place, isHalted: isHalted) ?? false
    }
  }

  let store: FleetStore

  init(_ arguments: ParsedArguments) throws(FleetError) { store = try FleetStore(arguments) }

  private var backend: any FleetBackend { store.backend }

  /// Where the current rollout stands, and the revision to change it at; nil: none was started.
  func state() throws(FleetError) -> (state: RolloutState, revision: Int)? {
    guard let entry = try backend.get(store.keys.key(.state)) else { return nil }
    let state = try DocumentCoder.decode(
      RolloutState.self, from: entry.value, named: "the state of the fleet")
    return (state, entry.revision)
  }

  /// The halt; nil: there is none. One that cannot be read is one.
  func halt() throws(FleetError) -> Halt? {
    guard let entry = try backend.get(store.keys.key(.halt)) else { return nil }
    let halt = try? DocumentCoder.decode(Halt.self, from: entry.value, named: "the halt")
    return halt ?? Halt(why: "its document cannot be read", by: "", at: .now())
  }

  /// The controller that leads; nil if there is none, or its document is invalid.
  func leader() throws(FleetError) -> ControllerLead? {
    guard let entry = try backend.get(store.keys.key(.controller)),
      ControllerLead.defect(of: entry) == nil
    else { return nil }
    return try? DocumentCoder.decode(ControllerLead.self, from: entry.value, named: "the lead")
  }

  func rollout(_ id: String) throws(FleetError) -> Rollout {
    try store.verifier.rollout(stored: try stored(.rollout(id), "rollout"), id: id)
  }

  func set(_ id: String) throws(FleetError) -> FleetSet {
    try store.verifier.set(stored: try stored(.set(id), "set"), id: id)
  }

  private func stored(_ key: FleetKey, _ kind: String) throws(FleetError) -> [UInt8] {
    guard let entry = try backend.get(store.keys.key(key)) else {
      throw FleetError(
        .notFound, "there is no \(kind) \(key.path) in \(backend.title)",
        remedy: "`waxwing-fleet history` shows what was published")
    }
    return entry.value
  }

  /// The rollouts that count, from which follows where each node should be; nil: none was started.
  func plan() throws(FleetError) -> FleetPlan? {
    guard let state = try state()?.state else { return nil }
    let newest = try rollout(state.rollout)
    let finished = newest.base.map { ids in
      ids.map { FleetPlan.Finished(id: $0, rollout: try? rollout($0)) }
    }
    return FleetPlan(state: state, newest: newest, finished: finished)
  }

  /// The only set whose name begins so.
  func setID(_ text: String) throws(FleetError) -> String {
    if ContentHash(text) != nil { return text }
    guard text.utf8.count >= 4 else {
      throw FleetError(
        .invalid, "'\(text)' is too short for a set's name", remedy: "give 4 digits or more")
    }
    let prefix = store.keys.key(.set(text))
    let found = try backend.range(prefix).entries.compactMap { entry in
      if case .set(let id) = store.keys.document(at: entry.key) { return id }
      return nil
    }
    guard found.count == 1 else {
      throw FleetError(
        .notFound,
        found.isEmpty
          ? "no set's name begins with '\(text)'" : "several sets' names begin with '\(text)'",
        remedy: "`waxwing-fleet history` shows what was published")
    }
    return found[0]
  }

  /// The nodes whose agents are there, by name.
  func nodes() throws(FleetError) -> [Node] {
    var infos: [String: NodeInfo] = [:]
    var reports: [String: NodeReport] = [:]
    for entry in try backend.range(store.keys.prefix(of: "nodes")).entries {
      // A node that writes nonsense is one that is not there.
      switch store.keys.document(at: entry.key) {
      case .info(let node):
        infos[node] = try? DocumentCoder.decode(NodeInfo.self, from: entry.value, named: "node")
      case .report(let node):
        reports[node] = try? DocumentCoder.decode(NodeReport.self, from: entry.value, named: "node")
      default: break
      }
    }
    return infos.values.sorted { $0.node < $1.node }
      .map { Node(info: $0, report: reports[$0.node]) }
  }

  /// The mark of a bad set; nil: it has none. One that cannot be read is one.
  func badSet(_ id: String) throws(FleetError) -> BadSet? {
    guard let entry = try backend.get(store.keys.key(.bad(id))) else { return nil }
    let mark = try? DocumentCoder.decode(BadSet.self, from: entry.value, named: "mark")
    return mark ?? BadSet(why: "its mark cannot be read", rollout: "", by: "?", at: .now())
  }

  /// The history of the fleet.
  var log: DecisionLog { DecisionLog(backend: backend, keys: store.keys) }

  /// The history's last entries, the oldest first.
  func history(_ count: Int) throws(FleetError) -> [FleetLogEntry] {
    try log.newest(count).reversed()
  }

  /// Changes the state, again and again until no other writer has changed it meanwhile, and adds
  /// the change to the history.
  /// - Parameters:
  ///   - event: The name of the change in the history.
  ///   - change: The new state; it throws if the old one does not allow it.
  func change(
    _ event: String, why: String, _ change: (RolloutState) throws(FleetError) -> RolloutState
  ) throws(FleetError) -> RolloutState {
    for _ in 0..<20 {
      guard let (state, revision) = try state() else {
        throw FleetError(
          .notFound, "no rollout was started",
          remedy: "start one: `waxwing-fleet rollout start SET`")
      }
      let changed = try change(state)
      let bytes = DocumentCoder.encode(changed)
      let entry = FleetLogEntry(event, by: changed.by, rollout: changed.rollout, why: why)
      if try backend.compareAndSwap(
        store.keys.key(.state), revision: revision, bytes, with: log.document(of: entry))
      {
        return changed
      }
    }
    throw FleetError(
      .conflict, "another user keeps changing the rollout", remedy: "try again")
  }
}
