// SPDX-License-Identifier: MIT

/// One node as the judge sees it.
struct JudgedNode: Hashable, Sendable {
  /// The node's name.
  var name: String
  /// The build of the program: only nodes of one build are compared.
  var build: String
  /// Whether the node is meant to have the new set.
  var isTreated: Bool
  /// Whether it says that it has the set it is meant to have.
  var hasItsSet = false
  /// Why it is not where it should be, in its own words.
  var trouble: String?
  /// Patches that its engine has set aside after crashes since the stage began.
  var quarantined: [String] = []
  /// What it counts; nil if it is silent.
  var counters: NodeReport.Counters?
  /// What it had counted when the stage began; nil if it was not there.
  var baseline: NodeReport.Counters?

  /// A node of which nothing has been heard.
  init(_ name: String, build: String, isTreated: Bool) {
    self.name = name
    self.build = build
    self.isTreated = isTreated
  }

  /// What it has counted since the stage began; nil if that is not known.
  var delta: NodeReport.Counters? {
    guard let counters, let baseline else { return nil }
    return counters.since(baseline)
  }
}
