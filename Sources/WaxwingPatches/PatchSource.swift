// SPDX-License-Identifier: MIT

/// The checked text of one patch: a single Lua file, or a folder with `main.lua` and its modules.
///
/// A value of this type has passed every check that needs no Lua: it is small, plain UTF-8 source.
/// The tool makes one from a path and the daemon makes one again from the bytes that it received,
/// so neither trusts the other's checks.
package struct PatchSource: Hashable, Sendable {
  /// The file that runs.
  package let main: PatchFile

  /// The files that `require` finds, ordered by name; none for a single-file patch.
  package let modules: [PatchFile]

  /// All files, the main one first.
  package var files: [PatchFile] { [main] + modules }

  /// The name that a patch without a manifest goes by: the file's or folder's, without `.lua`.
  package var baseName: String {
    let first = main.name.prefix { $0 != "/" }
    return String(first.hasSuffix(".lua") ? first.dropLast(4) : first)
  }

  /// Checks files that arrived as names and bytes.
  /// - Throws: ``PatchError`` for the first file that is refused.
  package init(files: [PatchFile]) throws(PatchError) {
    guard let first = files.first else {
      throw PatchError(
        .layout, file: "patch", message: "the patch has no files",
        remedy: "give a .lua file, or a folder with main.lua")
    }
    try PatchLayout.check(files)
    for file in files { try PatchTextCheck.check(file) }
    let main = files.count == 1 ? first : files.first { $0.moduleName == "main" }
    guard let main else { throw PatchLayout.missingMain(folder: first.name) }
    self.main = main
    modules = files.filter { $0 != main }.sorted { $0.name < $1.name }
  }

  /// Reads a `.lua` file, or a folder with `main.lua`.
  /// - Throws: ``PatchError``; nothing larger than the limits is ever read.
  package init(path: String) throws(PatchError) {
    try self.init(files: PatchReader.files(at: path))
  }

  /// Reads a patch of one file from a descriptor to its end.
  /// - Parameter name: The name of the file in messages, with `.lua`.
  /// - Throws: ``PatchError``; nothing larger than the limits is ever read.
  package init(reading descriptor: Int32, named name: String) throws(PatchError) {
    try self.init(files: [PatchReader.stream(descriptor, named: name)])
  }
}
