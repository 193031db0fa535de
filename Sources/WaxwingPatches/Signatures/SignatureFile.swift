// SPDX-License-Identifier: MIT

import Glibc

/// The files that belong to a signature, beside the patch.
package enum SignatureFile {
  /// The endings of signatures, the one that is looked for first in front.
  package static let suffixes = [".sig", ".minisig"]

  /// The file whose bytes are signed: the patch's own, or the list in its folder.
  package static func signedFile(ofPatchAt path: String) -> String {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return path }
    return (path.hasSuffix("/") ? String(path.dropLast()) : path) + "/" + SignedMessage.listName
  }

  /// The signature beside a patch; nil if there is none.
  package static func beside(patchAt path: String) throws(PatchError) -> PatchFile? {
    let signed = signedFile(ofPatchAt: path)
    for suffix in suffixes where unsafe access(signed + suffix, F_OK) == 0 {
      return try read(signed + suffix)
    }
    return nil
  }

  /// Reads a signature.
  package static func read(_ path: String) throws(PatchError) -> PatchFile {
    let name = String(path.split(separator: "/").last ?? "signature")
    return PatchFile(name: name, bytes: try PatchReader.read(path, named: name))
  }

  /// Refuses a folder whose list of files is not what its files are: its signature cannot be right,
  /// and this says why.
  package static func checkList(
    ofPatchAt path: String, files: [PatchFile]
  ) throws(PatchError) {
    let list = signedFile(ofPatchAt: path)
    guard list != path, unsafe access(list, F_OK) == 0 else { return }
    let name = SignedMessage.name(of: files)
    let found = try PatchReader.read(list, named: name)
    let wanted = try SignedMessage.bytes(of: files)
    guard found != wanted else { return }
    let lines = [found, wanted].map { bytes in
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    let different = Set(lines[0]).symmetricDifference(lines[1]).min().map { $0.dropFirst(66) }
    throw PatchError(
      .signature, file: name,
      message:
        "the list does not match the files: \(different.map(String.init) ?? "their order") differs",
      remedy: "sign the patch again, with `waxwing sign`")
  }
}
