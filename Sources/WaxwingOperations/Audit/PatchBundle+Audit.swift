// SPDX-License-Identifier: MIT

internal import WaxwingPatches

extension PatchBundle {
  /// What the audit log calls the patch by: of a single file what `sha256sum FILE` prints, of a folder
  /// the hash of what `sha256sum` prints for its files, sorted by name.
  package var sha256: String {
    ContentHash(of: files.count == 1 ? files[0].bytes : SignedMessage.list(of: files)).hex
  }
}

extension PatchSource {
  /// The ``PatchBundle/sha256`` of the patch's files.
  package var sha256: String { PatchBundle(files: files).sha256 }
}
