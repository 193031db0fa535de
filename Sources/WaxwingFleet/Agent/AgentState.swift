// SPDX-License-Identifier: MIT

import WaxwingSystem

/// What the threads of an agent share.
struct AgentState: Sendable {
  /// Whether there is a halt.
  var isHalted = false
  /// Where the current rollout stands.
  var state: RolloutState?
  /// Why the stored state cannot be read; nil: it can.
  var stateTrouble: String?
  /// Goes up with each change of the two.
  var changes = 0
  /// The time at which the store answered last.
  var lastAnswer = Deadline.now
  /// Whether the agent ends.
  var isStopped = false
  /// Threads that have begun and not ended.
  var threads = 0
  /// The watch that goes on, to be cancelled.
  var watch: (any FleetWatch)?
  /// The next report.
  var report: NodeReport
  /// What the node is.
  var info: NodeInfo
  /// Goes up when there is something new to report.
  var news = 0

  init(_ options: AgentOptions) {
    report = NodeReport(node: options.node)
    info = NodeInfo(
      node: options.node, program: options.program, builds: [], labels: options.labels,
      version: FleetVersion.text)
  }

  /// Takes the documents that agents watch.
  /// - Returns: Whether there is a halt that was not there before.
  mutating func see(halt: Bool, _ state: RolloutState?) -> Bool {
    let isNew = halt && !isHalted
    if halt != isHalted || state != self.state { changes += 1 }
    isHalted = halt
    self.state = state
    return isNew
  }
}
