// SPDX-License-Identifier: MIT

import Glibc
import WaxwingDeclarations
import WaxwingSystem

/// Reads the files of a patch from disk, never more than the limits allow.
enum PatchReader {
  /// The files at `path`, named relative to the folder that holds the patch.
  static func files(at path: String) throws(PatchError) -> [PatchFile] {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      let number = errno
      throw unreadable(path, number, near: number == ENOENT ? near(path) : nil)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return [try file(at: path)] }
    var files: [PatchFile] = []
    let root = folderName(path)
    try collect(folder: path, named: root, depth: 0, into: &files)
    guard files.contains(where: { $0.name == root + "/main.lua" }) else {
      throw PatchLayout.missingMain(folder: root)
    }
    return files
  }

  private static func file(at path: String) throws(PatchError) -> PatchFile {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard name.hasSuffix(".lua") else {
      // What the file is instead (a program, an archive) helps more than its name does.
      try PatchTextCheck.check(PatchFile(name: name, bytes: read(path, named: name)))
      throw PatchError(
        .layout, file: name, message: "the file's name does not end in .lua",
        remedy: "name patches NAME.lua, or give a folder with main.lua")
    }
    return PatchFile(name: name, bytes: try read(path, named: name))
  }

  private static func collect(
    folder: String, named name: String, depth: Int, into files: inout [PatchFile]
  ) throws(PatchError) {
    guard depth <= PatchSizes.depth else {
      throw PatchError(
        .layout, file: name, message: "folders are nested deeper than \(PatchSizes.depth)",
        remedy: "give the folder of one patch")
    }
    for entry in try entries(of: folder, named: name) {
      let path = folder + "/" + entry
      var status = stat()
      guard unsafe lstat(path, &status) == 0 else { throw unreadable(name + "/" + entry, errno) }
      if status.st_mode & S_IFMT == S_IFDIR {
        try collect(folder: path, named: name + "/" + entry, depth: depth + 1, into: &files)
      } else if entry.hasSuffix(".lua") {
        guard files.count < PatchSizes.files else { throw PatchLayout.tooManyFiles(in: name) }
        let bytes = try read(path, named: name + "/" + entry)
        files.append(PatchFile(name: name + "/" + entry, bytes: bytes))
      }
    }
  }

  /// The names in a folder, sorted; hidden ones (editors' backups, `.git`) are left out.
  private static func entries(of folder: String, named name: String) throws(PatchError) -> [String]
  {
    guard let stream = unsafe opendir(folder) else { throw unreadable(name, errno) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let entryName = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !entryName.hasPrefix(".") { names.append(entryName) }
    }
    return names.sorted()
  }

  /// Reads a regular file; opening without blocking keeps a named pipe from holding the caller.
  static func read(_ path: String, named name: String) throws(PatchError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(name, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw unreadable(name, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw notAFile(name) }
    guard status.st_size > 0 else { throw PatchTextCheck.empty(name) }
    guard status.st_size <= PatchSizes.file else {
      throw PatchTextCheck.tooLarge(name, size: Int(status.st_size))
    }
    return try bytes(of: descriptor, named: name)
  }

  /// Reads what there is no file of: standard input.
  static func stream(_ descriptor: Int32, named name: String) throws(PatchError) -> PatchFile {
    PatchFile(name: name, bytes: try bytes(of: descriptor, named: name))
  }

  private static func bytes(of descriptor: Int32, named name: String) throws(PatchError) -> [UInt8]
  {
    do throws(ErrorNumber) {
      // One byte above the limit is enough for the size check to see a file that grew meanwhile.
      return try SystemCall.readAll(descriptor, limit: PatchSizes.file)
    } catch {
      throw unreadable(name, error.value)
    }
  }

  private static func folderName(_ path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return "patch" }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved).split(separator: "/").last.map(String.init) ?? "patch"
  }

  /// A question about similar files in the folder of a path that does not exist.
  private static func near(_ path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let last = parts.last else { return nil }
    let folder = (path.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
    guard let names = try? entries(of: folder.isEmpty ? "." : folder, named: folder) else {
      return nil
    }
    return NearestNames.question(for: String(last), in: names)
  }

  private static func unreadable(
    _ name: String, _ number: Int32, near: String? = nil
  ) -> PatchError {
    let remedy =
      switch number {
      case ENOENT, ENOTDIR: near ?? "check the path"
      case EACCES, EPERM: "make it readable for your user"
      default: "check the file and its disk"
      }
    return PatchError(
      .unreadable, file: name,
      message: unsafe "cannot read it: \(String(cString: strerror(number)))",
      remedy: remedy)
  }

  private static func notAFile(_ name: String) -> PatchError {
    PatchError(
      .unreadable, file: name, message: "it is neither a file nor a folder",
      remedy: "give a .lua file, or a folder with main.lua")
  }
}
