// SPDX-License-Identifier: MIT

import WaxwingPatches

/// What has to be so for patches to be applied that come from several operators.
extension Engine {
  /// Stands for the set of live patches: another one after each change of it, and in each process.
  var currentID: String { "\(Self.processID)-\(generation)" }

  /// A restarted program counts its changes from the beginning.
  private static let processID = {
    let digits = String(UInt32.random(in: 0...UInt32.max), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }()

  /// - Throws: `WaxwingError.Code.conflict` if the live patches are others than the client knows of.
  func demandCurrent(_ terms: Terms) throws {
    guard let wanted = terms.ifCurrent, wanted != currentID else { return }
    throw WaxwingError(
      .conflict, "the live patches have changed: they are at \(currentID), not at \(wanted)",
      remedy: "look at them with `waxwing list`, then apply with `--if-current \(currentID)`")
  }

  /// - Throws: `WaxwingError.Code.conflict` if a patch would take the place of a newer one, or of one that
  ///   calls itself the same.
  func demandNewer(
    _ patches: [(patch: AdmittedPatch, manifest: PatchManifest)], _ terms: Terms
  ) throws {
    guard !terms.acceptsAnyVersion else { return }
    for (patch, manifest) in patches {
      guard let live = session(named: manifest.name), live.source != patch.source else { continue }
      let (old, new) = (live.manifest.version, manifest.version)
      // Without a version a patch says nothing about which is the newer.
      guard new < old || (new == old && new > 0) else { continue }
      throw WaxwingError(
        .conflict,
        new < old
          ? "`\(manifest.name)` version \(old) is live, and this is version \(new)"
          : "`\(manifest.name)` version \(old) is live already, with other content",
        remedy: "give it a higher version, or apply it with --any-version")
    }
  }
}
