// SPDX-License-Identifier: MIT

/// The time for which a stage has been watched. Leaders add the time that passed on their own
/// monotonic clocks while they watched. So no clock has to be right, and time without a controller
/// does not count.
package struct StageProgress: Hashable, Sendable, Codable, CheckedDocument {
  /// The name of the rollout.
  var rollout: String
  /// The index of its stage.
  var stage: Int
  /// The time in milliseconds.
  var watched: Int

  /// The defect of the measurement; nil if it has none.
  package var defect: String? {
    (0..<1 << 53).contains(watched) ? nil : "it was watched for \(watched) milliseconds"
  }

  /// Creates a measurement.
  init(rollout: String, stage: Int, watched: Int = 0) {
    self.rollout = rollout
    self.stage = stage
    self.watched = watched
  }
}
