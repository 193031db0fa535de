// SPDX-License-Identifier: MIT

/// A fleet's documents about its rollout as they were at one moment, each with its revision.
package struct FleetView: Sendable {
  /// A document as it was read.
  package struct Stored<Document: Sendable>: Sendable {
    /// The content of the document.
    package let document: Document
    /// The revision at which the document was written, for compare-and-swap.
    let revision: Int
  }

  /// Where the rollout stands; nil: there was never one.
  package var state: Stored<RolloutState>?
  /// Why all nodes are at baseline; nil: they are not.
  package var halt: Halt?
  /// The rollout that the state names; nil: it cannot be read.
  package var rollout: Rollout?
  /// The rollouts that were finished before it; nil: it is of form 1, which does not say.
  package var finished: [FleetPlan.Finished]?
  /// The program that the rollout's set is for; nil: the set cannot be read.
  var program: String?
  /// Why the rollout or its set cannot be read.
  package var trouble: String?
  /// Documents that cannot be read, one sentence each. They are treated as missing.
  package var defects: [String] = []
  /// The nodes whose agents are there, by name.
  package var infos: [String: NodeInfo] = [:]
  /// The reports of nodes, by name.
  package var reports: [String: NodeReport] = [:]
  /// How the nodes were when the stage began.
  package var record: Stored<StageRecord>?
  /// The revisions of the record's parts, and of parts that other records have left, by number.
  var partRevisions: [Int: Int] = [:]
  /// The time for which the stage has been watched.
  var progress: Stored<StageProgress>?

  /// Creates a view without documents.
  init() {}

  /// The current stage's plan; nil if there is none.
  var stage: RolloutStage? {
    guard let state = state?.document, let rollout, rollout.stages.indices.contains(state.stage)
    else { return nil }
    return rollout.stages[state.stage]
  }

  /// The nodes that the rollout may reach and whose agents are there.
  package var selected: [NodeInfo] {
    guard let rollout, let selector = try? NodeSelector(rollout.selector) else { return [] }
    return infos.values.filter { info in
      selector.matches(info) && (program == nil || info.program == program)
    }
  }

  /// The plan that follows from all rollouts; nil if the rollout cannot be read.
  package var plan: FleetPlan? {
    guard let state = state?.document, let rollout else { return nil }
    return FleetPlan(state: state, newest: rollout, finished: finished)
  }

  /// The nodes of another stage of the rollout; nil: it is not one in percent, or one of form 1.
  func choice(of stage: Int) -> ChosenNodes? {
    guard let state = state?.document, let rollout, rollout.format > 1 else { return nil }
    return rollout.choice(
      of: stage, id: state.rollout, among: selected.map(\.node), before: state.chosen)
  }

  /// The seconds for which the current stage has been watched.
  var watchedSeconds: Double {
    guard let state = state?.document, let progress = progress?.document,
      progress.rollout == state.rollout, progress.stage == state.stage
    else { return 0 }
    return Double(progress.watched) / 1000
  }
}
