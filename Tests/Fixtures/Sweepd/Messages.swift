// SPDX-License-Identifier: MIT

/// A patch to be swept.
struct SweepCommand: Decodable {
  let name: String
  let patch: String
}

/// The run without a patch.
struct SweepBaseline: Encodable {
  let lines: Int
  /// What the sections left alive, a sentence each.
  let left: [String]
  /// Lines that were different when the workload ran once more.
  let unstable: [String]
}

/// What a patch did.
struct SweepReport: Encodable {
  let name: String
  /// Why the patch was not loaded.
  var refused: String?
  /// How many lines were different, missing or added.
  var differing = 0
  /// The first of them.
  var differences: [String] = []
  /// Overrides that failed, so that the original answered; and what else was logged.
  var faults: [String] = []
  /// How often each override was called.
  var calls: [String: Int] = [:]
  /// How many calls went past the overrides.
  var bypassed = 0
  /// Objects that were alive after a collection, by class.
  var left: [String: Int] = [:]
  /// Why the program is not as it was before.
  var unrestored: [String] = []
}
