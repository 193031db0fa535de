// SPDX-License-Identifier: MIT

package import WaxwingPatches

/// One of the patches that an apply is about.
package struct AppliedPatch {
  package let session: PatchSession
  package var replacedVersion: Int?
  /// Whether the same patch was live already, byte for byte.
  package var isUnchanged = false
  package var warnings: [String] = []
}

/// The plan of an apply: all patches are loaded, and none of them is live.
package struct ApplyPlan {
  package let replacement: Replacement
  /// The serial numbers below which no patch of a key is let in from now on.
  package let floors: [SerialFloor]
  /// The patches in the order in which they were given.
  package var patches: [AppliedPatch] = []
  /// The sessions that end at the moment in which the others go live.
  package internal(set) var ending: [PatchSession] = []

  init(_ replacement: Replacement, _ floors: [SerialFloor]) {
    self.replacement = replacement
    self.floors = floors
  }

  /// The sessions that go live.
  package var fresh: [PatchSession] { patches.filter { !$0.isUnchanged }.map(\.session) }
}

/// The outcome of an apply.
package struct Application {
  /// The patches in the order in which they were given.
  package let applied: [AppliedPatch]
  /// The patches that were ended and that no newer version takes the place of.
  package internal(set) var ended: [String] = []
  /// Calls that are still in patches that were replaced.
  package internal(set) var laggards: [Restoration.Laggard] = []

  init(_ plan: ApplyPlan) {
    applied = plan.patches
  }
}
