// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingPatches
import WaxwingSystem

/// The thread of an agent that changes its daemons, one step after the other.
struct AgentWorker {
  /// How long a step that has failed is not tried again, unless something changes.
  private static let retrySeconds = 15.0
  /// A trial of so long is over.
  private static let noTime = 0.001

  private let agent: Agent
  private var serials: SerialFile
  /// The latest time that the clock has shown.
  private var latestTime = 0
  private var memories: [String: DaemonMemory] = [:]
  private var book: CounterBook
  private var lastGoal: NodeGoal?
  /// The sets that daemons are known by.
  private var candidates: [(id: String, set: FleetSet)] = []
  private var lastLog: String?
  /// The last failure at each daemon, and the time until which the daemon is left alone.
  private var failures: [String: Failure] = [:]

  private struct Failure {
    let step: DaemonStep
    let daemon: ObservedDaemon
    let changes: Int
    let until: Deadline
    let message: String
  }

  init(_ agent: Agent, _ serials: SerialFile) {
    self.agent = agent
    self.serials = serials
    book = CounterBook(start: SystemTime.milliseconds)
  }

  func run() {
    var worker = self
    var changes = -1
    while !agent.shared.withLock({ $0.isStopped }) {
      let seen = agent.shared.withLock { $0.changes }
      worker.work(seen)
      changes = seen
      _ = agent.shared.wait(until: .after(seconds: agent.options.lookSeconds)) { state in
        state.isStopped || state.changes != changes ? true : nil
      }
    }
  }

  /// Looks at all daemons, does what there is to do, and notes what came of it.
  private mutating func work(_ changes: Int) {
    var daemons: [String: ObservedDaemon] = [:]
    var trouble: String?
    do throws(FleetError) {
      for name in try agent.port.daemons() {
        do throws(FleetError) {
          daemons[name] = try agent.port.look(at: name)
        } catch  where !hasEnded(name) {
          trouble = trouble ?? error.message
        }
      }
    } catch {
      trouble = error.message
    }
    book.note(daemons)
    agent.shared.withLock { $0.info = $0.info.with(builds: Self.builds(daemons)) }
    let goal = goal(daemons)
    if goal != lastGoal, !settle(goal, changes) { return }
    for name in daemons.keys.sorted() {
      guard let daemon = daemons[name] else { continue }
      if let failure = advance(name, daemon, goal, changes) { trouble = trouble ?? failure }
      if let now = try? agent.port.look(at: name) { daemons[name] = now }
    }
    report(daemons, goal, trouble)
  }

  /// A new goal is logged, and waits for its turn.
  /// - Returns: Whether it is still the goal then.
  private mutating func settle(_ goal: NodeGoal, _ changes: Int) -> Bool {
    if goal != .baseline, lastGoal != nil, agent.options.jitterSeconds > 0 {
      let seconds = Double.random(in: 0...agent.options.jitterSeconds)
      let hasChanged = agent.shared.wait(until: .after(seconds: seconds)) { state in
        state.isStopped || state.changes != changes ? true : nil
      }
      if hasChanged == true { return false }
    }
    agent.log("goal: \(goal.text)")
    lastGoal = goal
    return true
  }

  private mutating func goal(_ daemons: [String: ObservedDaemon]) -> NodeGoal {
    let shared = agent.shared.withLock { $0 }
    var situation = NodeSituation(node: shared.info)
    situation.isHalted = shared.isHalted
    situation.state = shared.state
    situation.lastSerial = serials.serial
    situation.secondsWithoutStore = shared.lastAnswer.secondsAgo
    situation.mostSecondsWithoutStore = agent.options.mostSecondsWithoutStore
    if let id = shared.state?.rollout, !shared.isHalted {
      do throws(FleetError) {
        let rollout = try agent.cache.rollout(id)
        situation.rollout = rollout
        try serials.raise(to: rollout.serial)
        situation.lastSerial = serials.serial
        readFinished(of: rollout, into: &situation)
      } catch {
        // Without a number on the disk nothing is done.
        situation.rollout = nil
        situation.trouble = error.message
      }
    }
    candidates = sets(of: situation)
    situation.liveSet = liveSet(daemons)
    return situation.goal(at: trustedTime(situation))
  }

  /// Reads the finished rollouts from the last one on until one is for this node. What is wrong with one is told if
  /// it matters.
  private func readFinished(of rollout: Rollout, into situation: inout NodeSituation) {
    guard let base = rollout.base else { return }
    situation.finished = []
    if situation.plan?.placeByNewest(situation.node) != nil { return }
    for id in base.reversed() {
      do throws(FleetError) {
        let entry = FleetPlan.Finished(id: id, rollout: try agent.cache.rollout(id))
        guard entry.selects(situation.node) else { continue }
        situation.finished = [entry]
      } catch {
        situation.finished = [.init(id: id, rollout: nil)]
        situation.trouble = error.message
      }
      return
    }
  }

  /// The sets that a daemon may be at although this agent has not put it there, or does not know any more: the one
  /// where it should be first.
  private func sets(of situation: NodeSituation) -> [(id: String, set: FleetSet)] {
    let wanted = situation.plan?.place(of: situation.node).set
    return [wanted, situation.rollout?.set, situation.rollout?.previous].compactMap { id in
      id.flatMap { id in (try? agent.cache.set(id)).map { (id, $0) } }
    }
  }

  /// The current time for decisions about expiry. Setting the clock back revives nothing, nor does
  /// a clock that lags behind the moment at which the rollout was signed.
  private mutating func trustedTime(_ situation: NodeSituation) -> Int {
    let rollout = situation.rollout
    let known = [serials.time, latestTime, rollout?.startedAt.secondsSince1970 ?? 0].max() ?? 0
    let now = TrustedTime(now: time(nil), lastSeen: known == 0 ? nil : known)
    if !now.isClockInsane { latestTime = max(latestTime, now.seconds) }
    if let plan = situation.plan, case .set(_, let decider, _) = plan.place(of: situation.node),
      let expires = plan.expiry(of: decider)?.secondsSince1970, now.seconds >= expires
    {
      // A time that cannot be kept holds until the agent ends.
      try? serials.raise(toTime: expires)
    }
    return now.seconds
  }

  /// The set that all daemons are at.
  private func liveSet(_ daemons: [String: ObservedDaemon]) -> String? {
    let sets = daemons.map { $1.set(memories[$0], among: candidates) }
    guard let first = sets.first, sets.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  /// Does the next step of one daemon.
  /// - Returns: The reason why it failed; nil if it succeeded, or there was none.
  private mutating func advance(
    _ name: String, _ daemon: ObservedDaemon, _ goal: NodeGoal, _ changes: Int
  ) -> String? {
    do throws(FleetError) {
      let (wanted, tried) = try sets(of: goal)
      let step = goal.step(for: daemon, memories[name], wanted: wanted, tried: tried)
      if step == .nothing {
        failures[name] = nil
        return nil
      }
      if let failure = failures[name], failure.step == step,
        failure.daemon.current == daemon.current,
        failure.daemon.pid == daemon.pid, failure.changes == changes, !failure.until.isPast
      {
        return failure.message
      }
      do throws(FleetError) {
        try perform(step, name, daemon)
        failures[name] = nil
        return nil
      } catch  where hasEnded(name, pid: daemon.pid) {
        logOnce("\(name): the daemon has ended: \(error.message)")
        return nil
      } catch {
        failures[name] = Failure(
          step: step, daemon: daemon, changes: changes,
          until: .after(seconds: Self.retrySeconds), message: error.message)
        logOnce("\(name): \(error.message)")
        return error.message
      }
    } catch {
      logOnce("\(name): \(error.message)")
      return error.message
    }
  }

  /// Whether a daemon that did not answer has ended, or another one has its place. That is no trouble with a set: a
  /// program may be restarted at any time, and the daemon that comes next tells whether the last one crashed.
  /// - Parameter pid: The process that was asked; nil if the daemon has not said it.
  private func hasEnded(_ name: String, pid: Int32? = nil) -> Bool {
    // Twice: a process that ends closes its connections one after the other.
    for _ in 1...2 {
      guard let names = try? agent.port.daemons() else { return false }
      guard names.contains(name) else { return true }
      if let now = try? agent.port.look(at: name) { return pid.map { $0 != now.pid } ?? false }
    }
    return false
  }

  /// The descriptions of the sets that a goal names.
  private func sets(
    of goal: NodeGoal
  ) throws(FleetError) -> (wanted: FleetSet?, tried: FleetSet?) {
    let wanted = try goal.destination.map { id throws(FleetError) in try agent.cache.set(id) }
    guard case .previous(_, let rollout) = goal else { return (wanted, nil) }
    // Without it a trial of the set is replaced, and not ended.
    return (wanted, try? agent.cache.set(rollout))
  }

  private mutating func perform(
    _ step: DaemonStep, _ name: String, _ daemon: ObservedDaemon
  ) throws(FleetError) {
    switch step {
    case .nothing: return
    case .restore:
      try agent.port.restore(name)
      memories[name] = nil
      agent.log("\(name): back to baseline")
    case .endTrial(let id):
      try endTrial(of: id, name)
      memories[name] = nil
    case .apply(let id, let isOnTrial):
      try apply(id, isOnTrial, name, daemon)
    }
  }

  private mutating func apply(
    _ id: String, _ isOnTrial: Bool, _ name: String, _ daemon: ObservedDaemon
  ) throws(FleetError) {
    let set = try agent.cache.set(id)
    guard set.program == agent.options.program else {
      throw FleetError(
        .untrusted, "set \(id.prefix(12)) is for \(set.program), not for \(agent.options.program)",
        remedy: "give each program a fleet of its own")
    }
    guard set.builds.isEmpty || daemon.build.map(set.builds.contains) == true else {
      throw FleetError(
        .untrusted,
        "set \(id.prefix(12)) is for other builds than \(daemon.build ?? "one without a build ID")")
    }
    let patches = try agent.cache.patches(of: id)
    // A halt may have come while this was read.
    guard !agent.shared.withLock({ $0.isHalted }) else {
      throw FleetError(.cancelled, "there is a halt")
    }
    let seconds = isOnTrial ? agent.options.trialSeconds : nil
    try agent.port.apply(patches, to: name, trialSeconds: seconds)
    let now = try agent.port.look(at: name)
    let wasThere = memories[name]?.set == id
    memories[name] = DaemonMemory(
      pid: now.pid, current: now.current, set: id, isOnTrial: now.isOnTrial,
      renewAt: .after(seconds: agent.options.trialSeconds / 3))
    if !wasThere || !isOnTrial {
      agent.log("\(name): at set \(id.prefix(12))\(now.isOnTrial ? ", on trial" : "")")
    }
  }

  /// The engine itself brings back what was there before: of what it had accepted then nobody has to ask
  /// again whether it is too old.
  private func endTrial(of id: String, _ name: String) throws(FleetError) {
    do throws(FleetError) {
      try agent.port.apply(try agent.cache.patches(of: id), to: name, trialSeconds: Self.noTime)
    } catch {
      // A trial that cannot be ended ends at baseline.
      agent.log("\(name): the trial cannot be ended, so it goes back to baseline: \(error.message)")
      return try agent.port.restore(name)
    }
    for _ in 0..<40 {
      usleep(50_000)
      guard try agent.port.look(at: name).isOnTrial else {
        return agent.log("\(name): the trial of set \(id.prefix(12)) has ended")
      }
    }
    throw FleetError(.unavailable, "the trial of set \(id.prefix(12)) does not end")
  }

  private mutating func logOnce(_ line: String) {
    guard lastLog != line else { return }
    lastLog = line
    agent.log(line)
  }

  private static func builds(_ daemons: [String: ObservedDaemon]) -> [String] {
    Set(daemons.values.compactMap(\.build)).sorted()
  }

  /// Writes down how the node is, for the thread that reports.
  private func report(_ daemons: [String: ObservedDaemon], _ goal: NodeGoal, _ trouble: String?) {
    let sets = try? sets(of: goal)
    let steps = daemons.map {
      goal.step(for: $1, memories[$0], wanted: sets?.wanted, tried: sets?.tried)
    }
    let (live, isThere) = (liveSet(daemons), steps.allSatisfy { $0 == .nothing })
    var counters = book.counters
    if let counts = agent.counts?() {
      (counters.requests, counters.errors) = (counts.requests, counts.errors)
      counters.latency = counts.latency
    }
    let counted = counters
    var stay: String?
    if case .stay(let why) = goal { stay = why }
    let reason = trouble ?? daemons.values.compactMap(\.trouble).first ?? stay
    agent.shared.withLock { shared in
      var report = shared.report
      report.builds = Self.builds(daemons)
      report.rollout = shared.state?.rollout
      report.epoch = shared.state?.epoch ?? 0
      report.set = live
      report.isBaseline = daemons.values.allSatisfy(\.isAtBaseline)
      report.isConverged = isThere && stay == nil && trouble == nil
      report.isOnTrial = daemons.values.contains(where: \.isOnTrial)
      report.isHalted = shared.isHalted
      report.daemons = daemons.count
      report.quarantined = Set(daemons.values.flatMap(\.quarantined)).sorted()
      report.trouble = reason
      report.counters = counted
      report.at = shared.report.at
      if report.differs(from: shared.report) { shared.news += 1 }
      shared.report = report
    }
  }
}

extension NodeReport {
  /// Whether something other than a number has changed, which is told at once.
  fileprivate func differs(from other: NodeReport) -> Bool {
    var (mine, others) = (self, other)
    mine.counters = Counters()
    others.counters = Counters()
    return mine != others || counters.restarts != other.counters.restarts
      || counters.switchedOff != other.counters.switchedOff
  }
}

extension NodeInfo {
  fileprivate func with(builds: [String]) -> NodeInfo {
    NodeInfo(node: node, program: program, builds: builds, labels: labels, version: version)
  }
}

extension NodeGoal {
  /// The goal as text for the log.
  var text: String {
    switch self {
    case .stay(let why), .free(let why): "stay as it is: \(why)"
    case .baseline: "baseline"
    case .set(let id, let isOnTrial): "set \(id.prefix(12))\(isOnTrial ? ", on trial" : "")"
    case .previous(let id, let rollout):
      "\(id.map { "set \($0.prefix(12))" } ?? "baseline"), and not set \(rollout.prefix(12))"
    }
  }
}
