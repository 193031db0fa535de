// SPDX-License-Identifier: MIT

package import WaxwingControl
import WaxwingPatches

/// A signed set of patches: everything that is live in a program that is at it. Never changed once it is
/// published; its name is the hash of its bytes.
package struct FleetSet: Hashable, Sendable, Codable {
  /// One patch of a set.
  package struct Patch: Hashable, Sendable, Codable {
    /// The name in the patch's manifest.
    package let name: String
    /// The manifest's version, 0 without one.
    package let version: Int
    /// The manifest's serial number.
    package let serial: Int
    /// The hash of the stored patch, which is its key.
    package let blob: String

    /// Creates the description of a patch.
    package init(name: String, version: Int, serial: Int, blob: String) {
      self.name = name
      self.version = version
      self.serial = serial
      self.blob = blob
    }
  }

  /// The newest form of documents that this code knows.
  static let format = 1
  /// The most patches of a set.
  package static let patchLimit = 64

  /// The form of the document.
  let format: Int
  /// The program that it is for.
  package let program: String
  /// The builds that it is for; empty: all.
  let builds: [String]
  /// The patches, the newest last.
  package let patches: [Patch]
  /// The time from which the set is not rolled out any more; nil for never.
  package let expires: Timestamp?
  /// The time at which the set was published.
  let publishedAt: Timestamp
  /// The publisher's note about the set.
  package let note: String

  /// Creates a set.
  package init(
    program: String, builds: [String] = [], patches: [Patch], expires: Timestamp? = nil,
    publishedAt: Timestamp = .now(), note: String = ""
  ) {
    format = Self.format
    self.program = program
    self.builds = builds
    self.patches = patches
    self.expires = expires
    self.publishedAt = publishedAt
    self.note = note
  }

  /// - Throws: ``FleetError`` `untrusted` for what its publisher's tool would not have written.
  func check(id: String) throws(FleetError) {
    guard format == Self.format else {
      throw FleetError(
        .untrusted, "set \(id.prefix(12)) has form \(format); this is version \(Self.format)",
        remedy: "update this host's waxwing-agent and waxwing-fleet")
    }
    let areHashes = patches.allSatisfy { ContentHash($0.blob) != nil }
    let names = Set(patches.map(\.name))
    guard areHashes, !patches.isEmpty, patches.count <= Self.patchLimit,
      names.count == patches.count, !program.isEmpty
    else {
      throw FleetError(
        .untrusted, "set \(id.prefix(12)) names no patches, one twice, or what is no hash",
        remedy: "publish it again with `waxwing-fleet publish`")
    }
  }
}
