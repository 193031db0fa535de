// SPDX-License-Identifier: MIT

/// The result of `restore` or `revert`.
package struct RestoreReport: Hashable, Sendable, Codable {
  /// The patches that were ended, in the order of ending.
  package let endedPatches: [String]

  /// The entries that were read back after writing.
  let entriesVerified: Int

  /// The entries that do not hold what they should, a sentence each.
  package let differences: [String]

  /// Patches that were not live, but would have been after a restart, and are kept no more.
  package var droppedPatches: [String]?

  /// The calls that did not leave the patches which were ended, in time.
  package let laggards: [Laggard]

  /// Calls in patches that had ended before.
  package var stillInside: [Laggard]?

  /// The patches' tasks that were cancelled.
  package var cancelledTasks: Int?

  /// The activities that waited for too long, and do not continue in Lua.
  package var abandonedCalls: [String]?

  /// Objects of the patches' classes that are alive, by class, and go on with the patches' code.
  package var livingObjects: [String: Int]?

  /// Why the patches may be live again after a restart; nil: they are not.
  package var storeFailure: String?

  /// Why all calls go to the program's own code already and the rest is still to be done; nil: it has been
  /// done.
  package var postponed: String?

  /// The report in one line, as the tool prints it.
  package var message: String

  /// Creates a report; `message` says what the numbers say unless the engine knows better.
  init(
    endedPatches: [String], entriesVerified: Int, differences: [String] = [],
    laggards: [Laggard] = [], message: String
  ) {
    self.endedPatches = endedPatches
    self.entriesVerified = entriesVerified
    self.differences = differences
    self.laggards = laggards
    self.message = message
  }

  /// A report on all patches: `restored baseline: 1 patch ended, …`, or `nothing to do: …`.
  package static func restored(
    program: String, endedPatches: [String], entriesVerified: Int, differences: [String] = [],
    laggards: [Laggard] = [], droppedPatches: [String] = []
  ) -> RestoreReport {
    let isIdle =
      endedPatches.isEmpty && differences.isEmpty && laggards.isEmpty && droppedPatches.isEmpty
    let counts = counts(endedPatches.count, entriesVerified, differences.count)
    let done = laggards.isEmpty && differences.isEmpty ? "restored baseline" : "restored in part"
    let verified = entriesVerified == 0 ? "" : ", \(Self.verified(entriesVerified))"
    var report = RestoreReport(
      endedPatches: endedPatches, entriesVerified: entriesVerified, differences: differences,
      laggards: laggards,
      message: isIdle
        ? "nothing to do: \(program) is at baseline\(verified)" : "\(done): \(counts)")
    report.droppedPatches = droppedPatches
    return report
  }

  /// A report on one patch: `reverted overdraft: 3 entries verified, 0 differences`.
  package static func reverted(
    patch: String, entriesVerified: Int, differences: [String] = [], laggards: [Laggard] = []
  ) -> RestoreReport {
    RestoreReport(
      endedPatches: [patch], entriesVerified: entriesVerified, differences: differences,
      laggards: laggards,
      message: "reverted \(patch): \(counts(nil, entriesVerified, differences.count))")
  }

  private static func verified(_ count: Int) -> String {
    count == 1 ? "1 entry verified" : "\(count) entries verified"
  }

  private static func counts(_ ended: Int?, _ verified: Int, _ differences: Int) -> String {
    var parts: [String] = []
    if let ended { parts.append(ended == 1 ? "1 patch ended" : "\(ended) patches ended") }
    parts.append(Self.verified(verified))
    parts.append(differences == 1 ? "1 difference" : "\(differences) differences")
    return parts.joined(separator: ", ")
  }
}
