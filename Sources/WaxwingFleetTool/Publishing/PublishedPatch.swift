// SPDX-License-Identifier: MIT

import Glibc
import WaxwingFleet
import WaxwingPatches

/// A signed patch on its way into the store.
struct PublishedPatch {
  /// The most bytes of a patch: etcd takes requests of one and a half megabytes.
  private static let sizeLimit = 1 << 20

  let manifest: PatchManifest
  let program: String
  let serial: Int
  let bytes: [UInt8]
  let hash: String

  /// Reads a patch with the signature beside it, and checks both as a daemon with these lists would.
  init(path: String, _ verifier: DocumentVerifier) throws(FleetError) {
    do throws(PatchError) {
      let source = try PatchSource(path: path)
      let signature = try SignatureFile.beside(patchAt: path)
      if signature != nil { try SignatureFile.checkList(ofPatchAt: path, files: source.files) }
      let bundle = PatchBundle(files: source.files, signature: signature)
      _ = try SignerLists(signers: verifier.signers, revoked: verifier.revoked)
        .verify(bundle, at: time(nil))
      manifest = try PatchManifest(of: source, isSigned: true)
      bytes = BundleCoder.encode(bundle)
    } catch {
      throw FleetError(.untrusted, error.located, remedy: error.remedy)
    }
    // A signed patch has both.
    guard let program = manifest.program, let serial = manifest.serial else {
      throw FleetError(
        .untrusted, "\(path): its manifest has no program, or no serial",
        remedy: "add both and sign it again: docs/signing.md")
    }
    guard bytes.count <= Self.sizeLimit else {
      throw FleetError(
        .invalid, "\(path) has more than a megabyte", remedy: "make the patch smaller")
    }
    self.program = program
    self.serial = serial
    hash = ContentHash(of: bytes).hex
  }

  /// The patch's line in a set.
  var entry: FleetSet.Patch {
    FleetSet.Patch(name: manifest.name, version: manifest.version, serial: serial, blob: hash)
  }
}
