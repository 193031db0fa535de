// SPDX-License-Identifier: MIT

/// One node as the judge sees it.
package struct JudgedNode: Hashable, Sendable {
  /// The node's name.
  package var name: String
  /// The build of the program: only nodes of one build are compared.
  package var build: String
  /// Whether the node is meant to have the new set.
  package var isTreated: Bool
  /// Whether it says that it has the set it is meant to have.
  package var hasItsSet = false
  /// Why it is not where it should be, in its own words.
  package var trouble: String?
  /// Patches that its engine has set aside after crashes since the stage began.
  package var quarantined: [String] = []
  /// What it counts; nil if it is silent.
  package var counters: NodeReport.Counters?
  /// What it had counted when the stage began; nil if it was not there.
  package var baseline: NodeReport.Counters?

  /// A node of which nothing has been heard.
  package init(_ name: String, build: String, isTreated: Bool) {
    self.name = name
    self.build = build
    self.isTreated = isTreated
  }

  /// What it has counted since the stage began; nil if that is not known.
  package var delta: NodeReport.Counters? {
    guard let counters, let baseline else { return nil }
    return counters.since(baseline)
  }
}
