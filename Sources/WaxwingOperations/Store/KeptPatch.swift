// SPDX-License-Identifier: MIT

package import WaxwingPatches

/// A patch that is to be live at each start.
package struct KeptPatch: Hashable, Sendable {
  /// The hash of the patch's file among the blobs.
  package var hash: ContentHash
  /// The name in the patch's manifest.
  package var name: String
  /// The build that it was applied to: others do not get it.
  package var build: String
  /// Seconds since 1970, UTC.
  package var keptAt: Int

  package init(hash: ContentHash, name: String, build: String, keptAt: Int) {
    self.hash = hash
    self.name = name
    self.build = build
    self.keptAt = keptAt
  }
}

/// A process died in this patch.
package struct Strike: Hashable, Sendable {
  var hash: ContentHash
  var name: String
  var at: Int

  package init(hash: ContentHash, name: String, at: Int) {
    self.hash = hash
    self.name = name
    self.at = at
  }
}

/// A patch that was kept and is not started any more.
package struct QuarantinedPatch: Hashable, Sendable {
  package var patch: KeptPatch
  package var at: Int
  package var reason: String

  package init(patch: KeptPatch, at: Int, reason: String) {
    self.patch = patch
    self.at = at
    self.reason = reason
  }
}

/// The kept patches of one build and generation are not started, because the program did not stay up
/// with them.
package struct CrashLoop: Hashable, Sendable {
  var build: String
  var generation: Int
  package var at: Int

  package init(build: String, generation: Int, at: Int) {
    self.build = build
    self.generation = generation
    self.at = at
  }
}

/// The key by which serial numbers count together.
package struct FloorKey: Hashable, Sendable, Comparable {
  let program: String
  package let key: String

  package init(program: String, key: String) {
    self.program = program
    self.key = key
  }

  package static func < (a: FloorKey, b: FloorKey) -> Bool {
    (a.program, a.key) < (b.program, b.key)
  }
}
