// SPDX-License-Identifier: MIT

/// The bytes that the signature of a patch is for: those of its file, or of a folder the text that
/// `sha256sum` prints for its files, sorted by name. So stock tools can make and check both.
package enum SignedMessage {
  /// The name of the list of a folder's files.
  package static let listName = "SHA256SUMS"

  /// The file that is signed, as the path of a patch's folder or file has it.
  package static func name(of files: [PatchFile]) -> String {
    guard let first = files.first?.name else { return listName }
    guard let root = first.firstIndex(of: "/") else { return first }
    return first[...root] + listName
  }

  /// The message; the names must have been checked.
  /// - Throws: ``PatchError`` for names that `sha256sum` writes in another way.
  package static func bytes(of files: [PatchFile]) throws(PatchError) -> [UInt8] {
    if files.count == 1, !files[0].name.contains("/") { return files[0].bytes }
    for file in files where path(of: file).contains("\\") {
      throw PatchError(
        .layout, file: file.name, message: "a name with a backslash cannot be signed",
        remedy: "rename the file and sign the patch again")
    }
    return list(of: files)
  }

  /// The output of `sha256sum` for a folder's files, sorted by name.
  package static func list(of files: [PatchFile]) -> [UInt8] {
    files.map { (path: path(of: $0), hash: ContentHash(of: $0.bytes).hex) }
      .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
      .flatMap { Array("\($0.hash)  \($0.path)\n".utf8) }
  }

  /// A file's path in its folder.
  private static func path(of file: PatchFile) -> Substring {
    file.name.drop { $0 != "/" }.dropFirst()
  }
}
