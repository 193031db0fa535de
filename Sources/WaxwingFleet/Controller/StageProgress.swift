// SPDX-License-Identifier: MIT

/// For how long a stage has been watched. Leaders add what passed on their own monotonic clocks while they
/// watched: no clock has to be right, and time without a controller does not count.
package struct StageProgress: Hashable, Sendable, Codable, CheckedDocument {
  /// The rollout's name.
  var rollout: String
  /// The index of its stage.
  var stage: Int
  /// Milliseconds.
  var watched: Int

  /// What is wrong with it, if anything.
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
