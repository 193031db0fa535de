// SPDX-License-Identifier: MIT

import WaxwingControl

@testable import WaxwingFleet

/// A fleet in the middle of a rollout, as documents.
struct FleetSample {
  static let id = String(repeating: "ab", count: 32)
  static let set = String(repeating: "cd", count: 32)
  static let start = Timestamp(secondsSince1970: 1_800_000_000)

  var view = FleetView()

  /// Twenty nodes; `n0` is the canary.
  init(stages: String = "canary,50%,100%", nodes: Int = 20) throws {
    view.rollout = Rollout(
      serial: 1, set: Self.set, base: [], selector: "all", canaries: ["n0"],
      stages: try RolloutStage.list(stages, bakeSeconds: 60),
      expires: Timestamp(secondsSince1970: Self.start.secondsSince1970 + 86_400))
    view.finished = []
    view.program = "bankd"
    for index in 0..<nodes {
      let name = "n\(index)"
      view.infos[name] = NodeInfo(
        node: name, program: "bankd", builds: ["b"], labels: [:], version: "1")
      var report = NodeReport(node: name, at: Self.start)
      report.builds = ["b"]
      report.isConverged = true
      report.isBaseline = true
      report.daemons = 1
      report.counters.requests = 5000
      report.counters.errors = 10
      view.reports[name] = report
    }
    enter(.rolling, stage: 0)
  }

  mutating func enter(_ phase: RolloutState.Phase, stage: Int) {
    let epoch = (view.state?.document.epoch ?? 0) + 1
    let state = RolloutState(
      rollout: Self.id, phase: phase, stage: stage, epoch: epoch, since: Self.start,
      chosen: view.choice(of: stage))
    view.state = .init(document: state, revision: epoch)
  }

  /// What the controller decides.
  func actions(elapsed: Int = 2000, at seconds: Int = 0) -> [ControllerAction] {
    let now = Timestamp(secondsSince1970: Self.start.secondsSince1970 + seconds)
    return ControllerDecision(view, elapsed: elapsed, now: now, name: "c").actions
  }

  /// Does what is decided to the documents.
  mutating func perform(_ actions: [ControllerAction]) {
    for action in actions {
      switch action {
      case .record(let record, let revision):
        view.record = .init(document: record, revision: revision + 1)
      case .progress(let progress, let revision):
        view.progress = .init(document: progress, revision: revision + 1)
      case .change(let state, let revision, _):
        view.state = .init(document: state, revision: revision + 1)
      case .markBad, .hold: break
      }
    }
  }

  /// Lets the nodes do what the state says, and count so many requests more.
  mutating func work(requests: Int = 5000, calls: Int = 3000, errors: Int = 10) {
    guard let state = view.state?.document, let rollout = view.rollout else { return }
    for name in view.reports.keys {
      let isTreated =
        !(state.phase == .rollingBack || state.phase == .rolledBack)
        && rollout.includes(name, in: state)
      view.reports[name]?.rollout = state.rollout
      view.reports[name]?.epoch = state.epoch
      view.reports[name]?.set = isTreated ? Self.set : nil
      view.reports[name]?.isBaseline = !isTreated
      view.reports[name]?.isConverged = true
      view.reports[name]?.counters.requests? += requests
      view.reports[name]?.counters.errors? += errors
      if isTreated { view.reports[name]?.counters.calls += calls }
    }
  }

  /// Decides and works until the state changes, or so many times.
  mutating func run(beats: Int, elapsed: Int = 10_000) -> [ControllerAction] {
    var last: [ControllerAction] = []
    for _ in 0..<beats {
      let epoch = view.state?.document.epoch
      last = actions(elapsed: elapsed)
      perform(last)
      if view.state?.document.epoch != epoch { break }
      work()
    }
    return last
  }
}

extension [ControllerAction] {
  /// The change of state among them, and its event.
  var change: (state: RolloutState, event: String)? {
    for action in self {
      if case .change(let state, _, let event) = action { return (state, event) }
    }
    return nil
  }
}
