// SPDX-License-Identifier: MIT

internal import WaxwingPatches

extension PatchBundle {
  /// The hash by which the audit log names the patch: for a single file the output of `sha256sum
  /// FILE`, for a folder the hash of the output of `sha256sum` for its files, sorted by name.
  package var sha256: String {
    ContentHash(of: files.count == 1 ? files[0].bytes : SignedMessage.list(of: files)).hex
  }
}

extension PatchSource {
  /// The ``PatchBundle/sha256`` of the patch's files.
  package var sha256: String { PatchBundle(files: files).sha256 }
}
