// SPDX-License-Identifier: MIT

/// The bytes that the signature of a patch is for: those of its file, or of a folder the text that
/// `sha256sum` prints for its files, sorted by name. So stock tools can make and check both.
package enum SignedMessage {
  /// What the list of a folder's files is called there.
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
    var lines: [(name: [UInt8], line: String)] = []
    for file in files {
      let name = file.name.drop { $0 != "/" }.dropFirst()
      guard !name.contains("\\") else {
        throw PatchError(
          .layout, file: file.name, message: "a name with a backslash cannot be signed",
          remedy: "rename the file and sign the patch again")
      }
      lines.append((Array(name.utf8), "\(hex(Sodium.sha256(file.bytes)))  \(name)\n"))
    }
    lines.sort { $0.name.lexicographicallyPrecedes($1.name) }
    return lines.flatMap { Array($0.line.utf8) }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
