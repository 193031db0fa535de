// SPDX-License-Identifier: MIT

/// Checks that the names and the number of files form a patch. Names may come off a socket.
enum PatchLayout {
  static func check(_ files: [PatchFile]) throws(PatchError) {
    let root = files[0].name.prefix { $0 != "/" }
    guard files.count <= PatchSizes.files else { throw tooManyFiles(in: String(root)) }
    var seen: Set<String> = []
    for file in files {
      try checkName(file.name)
      guard seen.insert(file.moduleName).inserted else {
        throw refusal(file.name, "another file of the patch has the same module name")
      }
      let isInFolder = file.name.contains("/")
      guard files.count == 1 || (isInFolder && file.name.hasPrefix(root + "/")) else {
        throw refusal(file.name, "the files of a patch must be in one folder")
      }
    }
    if files[0].name.contains("/"), !seen.contains("main") {
      throw missingMain(folder: files[0].name)
    }
    let total = files.reduce(0) { $0 + $1.bytes.count }
    guard total <= PatchSizes.patch else { throw tooLarge(String(root), total) }
  }

  static func missingMain(folder name: String) -> PatchError {
    let folder = String(name.prefix { $0 != "/" })
    return PatchError(
      .layout, file: folder, message: "the folder has no main.lua",
      remedy: "name the file that runs main.lua, or give the path of one .lua file")
  }

  static func tooManyFiles(in root: String) -> PatchError {
    PatchError(
      .tooLarge, file: root, message: "the patch has more than \(PatchSizes.files) Lua files",
      remedy: "leave out what is not part of the patch")
  }

  private static func tooLarge(_ root: String, _ total: Int) -> PatchError {
    let limit = PatchSizes.text(PatchSizes.patch)
    return PatchError(
      .tooLarge, file: root,
      message: "the files have \(PatchSizes.text(total)) together; the limit is \(limit)",
      remedy: "split the patch, or leave out data")
  }

  /// Names become chunk names in messages and module names: plain relative paths to `.lua` files.
  private static func checkName(_ name: String) throws(PatchError) {
    guard name.hasSuffix(".lua"), name.utf8.count <= 255 else {
      throw refusal(name, "the name does not end in .lua or is longer than 255 bytes")
    }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && $0 != ".lua" }
    guard isPlain, parts.count <= PatchSizes.depth + 2 else {
      throw refusal(name, "the name is not a relative path inside the patch")
    }
    guard !name.unicodeScalars.contains(where: PatchTextCheck.isControl) else {
      throw refusal(name, "the name has control characters")
    }
  }

  private static func refusal(_ name: String, _ message: String) -> PatchError {
    let shown = String(
      name.unicodeScalars.map { PatchTextCheck.isControl($0) ? "?" : Character($0) })
    return PatchError(
      .layout, file: shown, message: message, remedy: "rename the file and apply the patch again")
  }
}
