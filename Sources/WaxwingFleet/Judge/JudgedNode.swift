// SPDX-License-Identifier: MIT

/// One node as the judge sees it.
struct JudgedNode: Hashable, Sendable {
  /// The name of the node.
  var name: String
  /// The build of the program: only nodes of one build are compared.
  var build: String
  /// Whether the node is meant to have the new set.
  var isTreated: Bool
  /// Whether the node reports that it has the set it is meant to have.
  var hasItsSet = false
  /// The reason why the node is not where it should be, in its own words; nil if there is none.
  var trouble: String?
  /// Patches that its engine has set aside after crashes since the stage began.
  var quarantined: [String] = []
  /// The node's counters; nil if it is silent.
  var counters: NodeReport.Counters?
  /// The node's counters when the stage began; nil if it was not there.
  var baseline: NodeReport.Counters?

  /// A node of which nothing has been heard.
  init(_ name: String, build: String, isTreated: Bool) {
    self.name = name
    self.build = build
    self.isTreated = isTreated
  }

  /// The node's counts since the stage began; nil if they are not known.
  var delta: NodeReport.Counters? {
    guard let counters, let baseline else { return nil }
    return counters.since(baseline)
  }
}
