// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingFleet
import WaxwingPatches
import WaxwingSystem

/// A daemon that is no process: it takes sets as the engine does, on trial or for good, and counts calls at a
/// steady rate. Overrides of a patch whose name begins with `bad` fail in one of twenty calls.
final class ModelDaemon: DaemonPort {
  private struct State {
    var patches: [PatchBundle] = []
    var before: [PatchBundle] = []
    var isKept = false
    var trialEnd: Deadline?
    var generation = 0
    var calls = 0.0
    var faults = 0.0
    var lastLook = SystemTime.milliseconds
  }

  private static let callsPerSecond = 50.0

  private let node: String
  private let pid: Int32
  private let journal: Journal
  private let state = Mutex(State())

  init(node: String, pid: Int32, journal: Journal) {
    self.node = node
    self.pid = pid
    self.journal = journal
  }

  func daemons() throws(FleetError) -> [String] { [node] }

  func look(at daemon: String) throws(FleetError) -> ObservedDaemon {
    state.withLock { state in
      endTrial(&state)
      count(&state)
      var sight = ObservedDaemon(pid: pid)
      sight.build = "b0b0"
      sight.current = "\(state.generation)"
      sight.kept = state.isKept ? state.patches.count : 0
      for bundle in state.patches {
        var patch = ObservedDaemon.Patch(name: bundle.file)
        patch.isOnTrial = state.trialEnd != nil
        patch.calls = Int(state.calls)
        patch.faults = Int(state.faults)
        sight.patches.append(patch)
      }
      return sight
    }
  }

  func apply(
    _ patches: [PatchBundle], to daemon: String, trialSeconds: Double?
  ) throws(FleetError) {
    state.withLock { state in
      count(&state)
      if state.patches != patches {
        state.before = state.patches
        state.generation += 1
        (state.calls, state.faults) = (0, 0)
        journal.note(node, "apply \(patches.first?.file ?? "nothing")")
      }
      state.patches = patches
      state.isKept = trialSeconds == nil
      state.trialEnd = trialSeconds.map { Deadline.after(seconds: $0) }
    }
  }

  func restore(_ daemon: String) throws(FleetError) {
    state.withLock { state in
      if !state.patches.isEmpty { state.generation += 1 }
      (state.patches, state.before, state.isKept, state.trialEnd) = ([], [], false, nil)
      journal.note(node, "restore")
    }
  }

  private func endTrial(_ state: inout State) {
    guard let end = state.trialEnd, end.isPast else { return }
    (state.patches, state.before, state.trialEnd) = (state.before, [], nil)
    state.isKept = !state.patches.isEmpty
    state.generation += 1
    journal.note(node, "back to \(state.patches.first?.file ?? "baseline")")
  }

  private func count(_ state: inout State) {
    let now = SystemTime.milliseconds
    defer { state.lastLook = now }
    guard let patch = state.patches.first else { return }
    let calls = Double(max(0, now - state.lastLook)) / 1000 * Self.callsPerSecond
    state.calls += calls
    if patch.file.hasPrefix("bad") { state.faults += calls / 20 }
  }
}

extension PatchBundle {
  fileprivate var file: String { files.first?.name ?? "" }
}
