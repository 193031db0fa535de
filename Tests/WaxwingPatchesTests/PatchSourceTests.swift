// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingPatches
import WaxwingTestSupport

@Suite struct PatchSourceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The refusal of a path, whole.
  private func refusal(_ path: String) -> String {
    do throws(PatchError) {
      let source = try PatchSource(path: path)
      return "accepted \(source.main.name)"
    } catch { return error.description }
  }

  @Test func `a file is read whole and named for itself`() throws {
    let path = try folder.write("return 1\r\n".utf8, to: "overdraft.lua")
    let source = try PatchSource(path: path)
    #expect(source.files == [PatchFile(name: "overdraft.lua", bytes: Array("return 1\r\n".utf8))])
    #expect(source.baseName == "overdraft")
  }

  @Test func `a folder is read with its modules, hidden and other files left out`() throws {
    try folder.write("require 'rates.eur'".utf8, to: "fees/main.lua")
    try folder.write("return {}".utf8, to: "fees/rates/eur.lua")
    try folder.write("return {}".utf8, to: "fees/.backup.lua")
    try folder.write([0xFF], to: "fees/notes.txt")
    let source = try PatchSource(path: folder.path + "/fees/")
    #expect(source.files.map(\.name) == ["fees/main.lua", "fees/rates/eur.lua"])
    #expect(source.files.map(\.moduleName) == ["main", "rates.eur"])
    #expect(source.baseName == "fees")
  }

  @Test func `what was read is accepted again as names and bytes`() throws {
    try folder.write("return 1".utf8, to: "fees/main.lua")
    try folder.write("return 2".utf8, to: "fees/a.lua")
    let source = try PatchSource(path: folder.path + "/fees")
    #expect(try PatchSource(files: source.files) == source)
    #expect(try PatchSource(files: source.files.reversed()) == source)
  }

  @Test func `a path that is not there is refused`() {
    #expect(
      refusal(folder.path + "/none.lua")
        == "\(folder.path)/none.lua: cannot read it: No such file or directory; check the path")
  }

  @Test func `an empty file is refused`() throws {
    #expect(
      refusal(try folder.write([], to: "a.lua"))
        == "a.lua: the file is empty (0 bytes); check that it was saved, and apply it again")
  }

  @Test func `a file of 1 TB is refused without being read`() throws {
    let path = try folder.write([0x20], to: "big.lua")
    #expect(truncate(path, 1 << 40) == 0)
    #expect(
      refusal(path)
        == "big.lua: the file has 1048576 MiB; a Lua file of a patch may have 256 KiB; "
        + "split it into a folder with main.lua and modules, or leave out data")
  }

  @Test func `a file at the limit is accepted and one byte more is not`() throws {
    let line = Array(repeating: UInt8(ascii: "-"), count: 1023) + [10]
    let full = Array(repeating: line, count: 256).flatMap(\.self)
    #expect(refusal(try folder.write(full, to: "full.lua")) == "accepted full.lua")
    #expect(
      refusal(try folder.write(full + [10], to: "over.lua")).hasPrefix(
        "over.lua: the file has 256 KiB;"))
  }

  @Test func `a folder without main is refused`() throws {
    try folder.write("return 1".utf8, to: "fees/other.lua")
    #expect(
      refusal(folder.path + "/fees")
        == "fees: the folder has no main.lua; "
        + "name the file that runs main.lua, or give the path of one .lua file")
  }

  @Test func `a named pipe is refused and does not block`() throws {
    let path = folder.path + "/pipe.lua"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(refusal(path).hasPrefix("pipe.lua: it is neither a file nor a folder"))
    #expect(refusal("/dev/zero").hasPrefix("zero: it is neither a file nor a folder"))
  }

  @Test func `a folder of too many files is refused`() throws {
    for number in 0...64 { try folder.write("return 1".utf8, to: "many/m\(number).lua") }
    #expect(refusal(folder.path + "/many").hasPrefix("many: the patch has more than 64 Lua files"))
  }

  @Test(arguments: [
    "../main.lua", "/etc/main.lua", "a/../main.lua", "a//main.lua", "main.txt", "", ".lua",
    "a/\u{1B}[2J.lua", "a/./b.lua",
  ])
  func `a name off the wire that is no path inside a patch is refused`(name: String) {
    #expect(throws: PatchError.self) {
      try PatchSource(files: [PatchFile(name: name, bytes: [0x20])])
    }
  }

  @Test func `files of two folders, two of one module, or none are refused`() {
    for names in [
      ["a/main.lua", "b/x.lua"], ["a/main.lua", "a/main.lua"], ["a.lua", "b.lua"], [],
    ] {
      #expect(throws: PatchError.self) {
        try PatchSource(files: names.map { PatchFile(name: $0, bytes: [0x20]) })
      }
    }
  }
}
