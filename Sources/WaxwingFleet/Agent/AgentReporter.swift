// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingSystem

/// The thread of an agent that tells the fleet how its node is, under a lease.
struct AgentReporter {
  private let agent: Agent

  init(_ agent: Agent) { self.agent = agent }

  func run() {
    var lease: FleetLease?
    var written: NodeInfo?
    var lastTrouble: String?
    var news = -1
    while !agent.shared.withLock({ $0.isStopped }) {
      do throws(FleetError) {
        if let old = lease, !(try agent.backend.keepAlive(old)) { (lease, written) = (nil, nil) }
        let current: FleetLease
        if let lease {
          current = lease
        } else {
          current = try agent.backend.grantLease(seconds: agent.options.leaseSeconds)
          (lease, written) = (current, nil)
        }
        let (info, report, number) = agent.shared.withLock { ($0.info, $0.report, $0.news) }
        news = number
        try write(report, current)
        if written != info { try write(info, current) }
        written = info
        try catchUp()
        lastTrouble = nil
      } catch {
        if error.code == .notFound || error.code == .unavailable { lease = nil }
        if lastTrouble != error.message { agent.log("no report: \(error.message)") }
        lastTrouble = error.message
      }
      wait(after: news)
    }
    if let lease { try? agent.backend.revoke(lease) }
  }

  private func write(_ report: NodeReport, _ lease: FleetLease) throws(FleetError) {
    var report = report
    report.at = .now()
    let key = agent.keys.key(.report(agent.options.node))
    try agent.backend.put(key, DocumentCoder.encode(report), lease: lease)
  }

  private func write(_ info: NodeInfo, _ lease: FleetLease) throws(FleetError) {
    let key = agent.keys.key(.info(agent.options.node))
    try agent.backend.put(key, DocumentCoder.encode(info), lease: lease)
  }

  /// Reads what is watched as well: a stream may be dead, and nobody has said so.
  private func catchUp() throws(FleetError) {
    agent.see(try agent.backend.range(agent.keys.current).entries)
  }

  /// Waits until the next report is due, or there is news to report, at most twice a second. News
  /// such as a halt comes to all nodes at once, so a random pause spreads their writes.
  private func wait(after news: Int) {
    guard agent.pause(seconds: min(0.5, agent.options.reportSeconds)) else { return }
    let end = Deadline.after(seconds: agent.options.reportSeconds * Double.random(in: 0.8...1.2))
    let isNew = agent.shared.wait(until: end) { state in
      state.isStopped || state.news != news ? true : nil
    }
    guard isNew == true else { return }
    _ = agent.pause(seconds: .random(in: 0...min(1, agent.options.reportSeconds / 10)))
  }
}
