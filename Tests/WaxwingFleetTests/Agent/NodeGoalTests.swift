// SPDX-License-Identifier: MIT

import Testing
import WaxwingControl
import WaxwingFleet
import WaxwingSystem

@Suite("Where a node should be")
struct NodeGoalTests {
  private static let (set, previous) = (
    String(repeating: "a", count: 64), String(repeating: "b", count: 64)
  )
  private static let now = 1_800_000_000

  private func situation(
    _ phase: RolloutState.Phase, stage: Int = 0, node: String = "n1",
    canaries: [String] = ["n1"], expires: Int = now + 60
  ) -> NodeSituation {
    var situation = NodeSituation(
      node: NodeInfo(node: node, program: "bankd", builds: [], labels: ["tier": "1"], version: ""))
    situation.state = RolloutState(rollout: "r", phase: phase, stage: stage, epoch: 3)
    situation.rollout = Rollout(
      serial: 5, set: Self.set, previous: Self.previous, selector: "tier=1", canaries: canaries,
      stages: [
        RolloutStage(basisPoints: 0, bakeSeconds: 1),
        RolloutStage(basisPoints: 10_000, bakeSeconds: 1),
      ], expires: Timestamp(secondsSince1970: expires))
    return situation
  }

  private var back: NodeGoal { .previous(Self.previous, rollout: Self.set) }

  @Test("The stage decides who has the set")
  func stages() {
    #expect(situation(.rolling).goal(at: Self.now) == .set(Self.set, isOnTrial: true))
    #expect(situation(.paused).goal(at: Self.now) == .set(Self.set, isOnTrial: true))
    #expect(situation(.rolling, node: "n2").goal(at: Self.now) == back)
    #expect(
      situation(.rolling, stage: 1, node: "n2").goal(at: Self.now)
        == .set(Self.set, isOnTrial: true))
    #expect(situation(.done, node: "n2").goal(at: Self.now) == .set(Self.set, isOnTrial: false))
    #expect(situation(.rollingBack).goal(at: Self.now) == back)
    #expect(situation(.rolledBack, stage: 1).goal(at: Self.now) == back)
  }

  @Test("A stage that is not there is the last; none has everybody at a share of 100 %")
  func strangeStages() {
    #expect(
      situation(.rolling, stage: 99, node: "n2").goal(at: Self.now)
        == .set(Self.set, isOnTrial: true))
    #expect(situation(.rolling, stage: -1).goal(at: Self.now) == back)
  }

  @Test("A halt comes before everything, also before what cannot be known")
  func halt() {
    var halted = situation(.done)
    halted.isHalted = true
    #expect(halted.goal(at: Self.now) == .baseline)
    halted.state = nil
    #expect(halted.goal(at: Self.now) == .baseline)
  }

  @Test("What is not signed, too old, or for others changes nothing")
  func stays() {
    func stays(_ change: (inout NodeSituation) -> Void) -> Bool {
      var changed = situation(.rolling)
      change(&changed)
      if case .stay = changed.goal(at: Self.now) { return true }
      return false
    }
    #expect(stays { $0.rollout = nil })
    #expect(stays { $0.lastSerial = 6 })
    #expect(!stays { $0.lastSerial = 5 })
    func isFree(_ change: (inout NodeSituation) -> Void) -> Bool {
      var changed = situation(.rolling)
      change(&changed)
      if case .free = changed.goal(at: Self.now) { return true }
      return false
    }
    #expect(isFree { $0.state = nil })
    #expect(
      isFree {
        $0.node = NodeInfo(node: "n1", program: "bankd", builds: [], labels: [:], version: "")
      })
  }

  /// The newest rollout is to `tier=1`, and this node is not of it.
  private func settled(expires: Int = now + 60, live: String? = nil) -> NodeSituation {
    var situation = situation(.rolling)
    situation.node = NodeInfo(
      node: "n9", program: "bankd", builds: [], labels: ["region": "eu"], version: "")
    let first = Rollout(
      serial: 1, set: Self.previous, base: [], selector: "region=eu", canaries: [],
      stages: [RolloutStage(basisPoints: 10_000, bakeSeconds: 1)],
      expires: Timestamp(secondsSince1970: expires))
    situation.rollout = Rollout(
      serial: 5, set: Self.set, base: ["first"], selector: "tier=1", canaries: ["n1"],
      stages: [RolloutStage(basisPoints: 0, bakeSeconds: 1)],
      expires: Timestamp(secondsSince1970: Self.now + 60))
    situation.finished = [.init(id: "first", rollout: first)]
    situation.liveSet = live
    return situation
  }

  @Test func `whom the newest rollout is not for is where the last finished one says`() {
    #expect(settled().goal(at: Self.now) == back)
    var other = settled()
    other.node = NodeInfo(node: "n9", program: "bankd", builds: [], labels: [:], version: "")
    #expect(other.goal(at: Self.now) == .previous(nil, rollout: Self.set))
    other.finished = [.init(id: "first", rollout: nil)]
    other.trouble = "its signer is revoked"
    #expect(other.goal(at: Self.now) == .stay("its signer is revoked"))
  }

  @Test func `a finished rollout that has expired brings nobody to its set, and keeps no other`() {
    #expect(settled(expires: Self.now, live: Self.previous).goal(at: Self.now) == back)
    #expect(
      settled(expires: Self.now, live: Self.set).goal(at: Self.now)
        == .previous(nil, rollout: Self.set))
    guard case .stay(let why) = settled(expires: Self.now).goal(at: Self.now) else {
      Issue.record("a node goes to a set that has expired")
      return
    }
    #expect(why.contains("expired"))
  }

  @Test("Without the store a canary's trial ends, and nothing else does")
  func alone() {
    var alone = situation(.rolling)
    alone.secondsWithoutStore = 901
    guard case .stay = alone.goal(at: Self.now) else {
      Issue.record("a canary goes on without the store")
      return
    }
    var other = situation(.rolling, stage: 1, node: "n2")
    other.secondsWithoutStore = 1e6
    #expect(other.goal(at: Self.now) == .set(Self.set, isOnTrial: true))
  }

  @Test("What has expired is gone to by nobody, and left by nobody")
  func expired() {
    var expired = situation(.done, expires: Self.now)
    guard case .stay = expired.goal(at: Self.now) else {
      Issue.record("a node goes to a set that has expired")
      return
    }
    expired.liveSet = Self.set
    #expect(expired.goal(at: Self.now) == .set(Self.set, isOnTrial: false))
    #expect(situation(.rollingBack, expires: Self.now).goal(at: Self.now) == back)
  }
}

@Suite("What to do to a daemon")
struct DaemonStepTests {
  private let set = "a"
  private let other = "b"

  private func daemon(_ names: [String] = [], isOnTrial: Bool = false, kept: Int = 0)
    -> ObservedDaemon
  {
    var daemon = ObservedDaemon(pid: 7)
    daemon.current = "c1"
    daemon.kept = kept
    daemon.patches = names.map { name in
      var patch = ObservedDaemon.Patch(name: name)
      patch.serial = 1
      patch.isOnTrial = isOnTrial
      return patch
    }
    return daemon
  }

  private func memory(
    _ set: String, isOnTrial: Bool = false, pid: Int32 = 7, current: String = "c1",
    renewAt: Deadline = .never
  ) -> DaemonMemory {
    DaemonMemory(pid: pid, current: current, set: set, isOnTrial: isOnTrial, renewAt: renewAt)
  }

  @Test("A set is applied unless it is known to be live, and nothing has changed since")
  func apply() {
    let goal = NodeGoal.set(set, isOnTrial: true)
    let live = daemon(["fees"], isOnTrial: true)
    #expect(goal.step(for: live, nil) == .apply(set, isOnTrial: true))
    #expect(goal.step(for: live, memory(set, isOnTrial: true)) == .nothing)
    #expect(goal.step(for: live, memory(other, isOnTrial: true)) == .apply(set, isOnTrial: true))
    #expect(
      goal.step(for: live, memory(set, isOnTrial: true, pid: 8)) == .apply(set, isOnTrial: true))
    #expect(
      goal.step(for: live, memory(set, isOnTrial: true, current: "c0"))
        == .apply(set, isOnTrial: true))
    var silent = live
    silent.current = nil
    #expect(goal.step(for: silent, memory(set, isOnTrial: true)) == .apply(set, isOnTrial: true))
  }

  @Test("A trial is renewed, and becomes final at the end; what is kept stays so")
  func trials() {
    let live = daemon(["fees"], isOnTrial: true)
    let due = memory(set, isOnTrial: true, renewAt: Deadline(nanoseconds: 0))
    #expect(NodeGoal.set(set, isOnTrial: true).step(for: live, due) == .apply(set, isOnTrial: true))
    #expect(
      NodeGoal.set(set, isOnTrial: false).step(for: live, memory(set, isOnTrial: true))
        == .apply(set, isOnTrial: false))
    #expect(NodeGoal.set(set, isOnTrial: true).step(for: live, memory(set)) == .nothing)
    #expect(NodeGoal.stay("").step(for: live, due) == .nothing)
  }

  @Test("Back is by the engine if it can be")
  func back() {
    let goal = NodeGoal.previous(other, rollout: set)
    let before = FleetSet(
      program: "bankd", patches: [.init(name: "fees", version: 0, serial: 1, blob: "")])
    let onTrial = daemon(["rates"], isOnTrial: true)
    let tried = FleetSet(
      program: "bankd", patches: [.init(name: "rates", version: 0, serial: 1, blob: "")])
    #expect(goal.step(for: onTrial, nil, wanted: before, tried: tried) == .endTrial(set))
    // Somebody else's trial is not ended by trying what was aborted.
    #expect(
      goal.step(for: onTrial, nil, wanted: before, tried: before)
        == .apply(other, isOnTrial: false))
    #expect(goal.step(for: daemon(["fees"]), nil, wanted: before) == .nothing)
    #expect(
      goal.step(for: daemon(["rates"]), nil, wanted: before) == .apply(other, isOnTrial: false))
    #expect(goal.step(for: daemon(), nil, wanted: before) == .apply(other, isOnTrial: false))
    #expect(goal.step(for: daemon(["rates"]), memory(other), wanted: before) == .nothing)
    let toBaseline = NodeGoal.previous(nil, rollout: set)
    #expect(toBaseline.step(for: daemon(["fees"]), nil) == .restore)
    #expect(toBaseline.step(for: daemon(kept: 1), nil) == .restore)
    #expect(toBaseline.step(for: daemon(), nil) == .nothing)
  }

  @Test func `after its restart an agent knows what is live, and applies nothing again`() {
    let fees = FleetSet(
      program: "bankd", patches: [.init(name: "fees", version: 0, serial: 1, blob: "")])
    let final = NodeGoal.set(set, isOnTrial: false)
    #expect(final.step(for: daemon(["fees"]), nil, wanted: fees) == .nothing)
    #expect(final.step(for: daemon(["rates"]), nil, wanted: fees) == .apply(set, isOnTrial: false))
    // A trial has to be renewed, or made final.
    let onTrial = daemon(["fees"], isOnTrial: true)
    #expect(final.step(for: onTrial, nil, wanted: fees) == .apply(set, isOnTrial: false))
    #expect(
      NodeGoal.set(set, isOnTrial: true).step(for: onTrial, nil, wanted: fees)
        == .apply(set, isOnTrial: true))
    #expect(
      NodeGoal.previous(set, rollout: other).step(for: onTrial, nil, wanted: fees)
        == .apply(set, isOnTrial: false))
    #expect(
      NodeGoal.previous(set, rollout: set).step(for: onTrial, nil, wanted: fees, tried: fees)
        == .apply(set, isOnTrial: false))
    #expect(daemon(["fees"]).set(nil, among: [("x", fees)]) == "x")
    #expect(daemon(["fees"]).set(memory(other), among: [("x", fees)]) == other)
    #expect(daemon(["rates"]).set(memory(other, pid: 8), among: [("x", fees)]) == nil)
  }

  @Test("Baseline is without patches, also without those that would come back")
  func baseline() {
    #expect(NodeGoal.baseline.step(for: daemon(["fees"]), memory(set)) == .restore)
    #expect(NodeGoal.baseline.step(for: daemon(kept: 1), nil) == .restore)
    #expect(NodeGoal.baseline.step(for: daemon(), nil) == .nothing)
  }
}

@Suite("What an agent counts")
struct CounterBookTests {
  private func daemon(pid: Int32 = 1, calls: Int, since: Int = 0) -> ObservedDaemon {
    var daemon = ObservedDaemon(pid: pid)
    var patch = ObservedDaemon.Patch(name: "fees")
    patch.appliedAt = Timestamp(secondsSince1970: since)
    (patch.calls, patch.faults) = (calls, calls / 10)
    daemon.patches = [patch]
    return daemon
  }

  @Test("Counters grow over restarts and new patches, and never shrink")
  func sums() {
    var book = CounterBook(start: 42)
    book.note(["x": daemon(calls: 100)])
    book.note(["x": daemon(calls: 150)])
    #expect(book.counters.calls == 150)
    // Another life of the patch, another process, none at all.
    book.note(["x": daemon(calls: 20, since: 9)])
    #expect(book.counters.calls == 170)
    book.note(["x": daemon(pid: 2, calls: 5, since: 9)])
    #expect(book.counters.calls == 175)
    #expect(book.counters.restarts == 1)
    book.note([:])
    book.note(["x": daemon(pid: 2, calls: 5, since: 9)])
    #expect(book.counters.faults == 17)
    #expect(book.counters.restarts == 1)
    #expect(book.counters.since == 42)
  }

  @Test("Metrics are summed over their labels")
  func metrics() {
    let text = """
      # HELP requests_total All.
      requests_total{code="200",path="/"} 90
      requests_total{code="500",path="/"} 7 1700000000
      requests_total{code="500",path="/a b"} 3
      requests_total_more 1000
      latency_p99 1234.5
      """
    #expect(MetricsReader.sum(of: "requests_total", in: text) == 100)
    #expect(MetricsReader.sum(of: "requests_total{code=\"500\"}", in: text) == 10)
    #expect(MetricsReader.sum(of: "latency_p99", in: text) == 1234.5)
    #expect(MetricsReader.sum(of: "none", in: text) == nil)
  }
}
