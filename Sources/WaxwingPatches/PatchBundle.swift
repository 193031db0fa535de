// SPDX-License-Identifier: MIT

/// A patch as it arrived: bytes that have not been read.
package struct PatchBundle: Hashable, Sendable {
  /// The files of the patch, in the order in which they came.
  package let files: [PatchFile]

  /// The detached signature; nil: none came. Its name tells the format: `overdraft.lua.sig` is
  /// OpenSSH's, `overdraft.lua.minisig` is minisign's.
  package let signature: PatchFile?

  /// Creates a bundle; nothing is checked here.
  package init(files: [PatchFile], signature: PatchFile? = nil) {
    self.files = files
    self.signature = signature
  }

  /// The name of the patch in messages: the file, or the folder.
  package var title: String { String(files.first?.name.prefix { $0 != "/" } ?? "patch") }
}

extension PatchBundle {
  /// The version in its manifest; nil if it cannot be read.
  package var version: Int? {
    guard let source = try? PatchSource(files: files) else { return nil }
    return (try? PatchManifest(of: source))?.version
  }
}
