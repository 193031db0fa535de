// SPDX-License-Identifier: MIT

import Testing
import WaxwingPatches

@Suite struct PatchTextTests {
  /// A file's start, and the message without the remedy.
  static let refused: [(bytes: [UInt8], message: String)] = [
    ([0x1B, 0x4C, 0x75, 0x61], "x.lua: compiled Lua is refused"),
    ([0xEF, 0xBB, 0xBF, 0x20], "x.lua: the file starts with a byte order mark"),
    ([0xFF, 0xFE, 0x20, 0x00], "x.lua: the file is UTF-16"),
    ([0xFE, 0xFF, 0x00, 0x20], "x.lua: the file is UTF-16"),
    ([0x1F, 0x8B, 0x08], "x.lua: the file is compressed (gzip)"),
    ([0x7F, 0x45, 0x4C, 0x46, 2], "x.lua: the file is a program (ELF), not a Lua script"),
    (Array("#!/usr/bin/lua\n".utf8), "x.lua:1: a patch has no '#!' line"),
    (Array("a\n\0".utf8), "x.lua:2: the text has a zero byte"),
    (Array("a\nb\n".utf8) + [0xC3, 0x28], "x.lua:3: the text is not valid UTF-8"),
    ([0x20, 0xE2, 0x82], "x.lua:1: the text is not valid UTF-8"),
    ([0x20, 0xED, 0xA0, 0x80], "x.lua:1: the text is not valid UTF-8"),
    (
      Array("a\n-- \u{202E}b".utf8),
      "x.lua:2: U+202E changes the direction of text, so the code does not run as it reads"
    ),
    (
      Array("\u{2066}".utf8),
      "x.lua:1: U+2066 changes the direction of text, so the code does not run as it reads"
    ),
    (Array(repeating: 0x2D, count: 65 * 1024), "x.lua:1: the line has more than 64 KiB"),
  ]

  @Test(arguments: refused)
  func `text that is not plain Lua source is refused`(
    bytes: [UInt8], message: String
  ) {
    let error = #expect(throws: PatchError.self) {
      try PatchSource(files: [PatchFile(name: "x.lua", bytes: bytes)])
    }
    #expect(error?.located == message)
    #expect(error?.remedy.isEmpty == false)
  }

  @Test func `compiled Lua is refused with what to give instead`() {
    let error = #expect(throws: PatchError.self) {
      try PatchSource(files: [PatchFile(name: "x.lua", bytes: [0x1B])])
    }
    #expect(error?.code == .bytecode)
    #expect(error?.description == "x.lua: compiled Lua is refused; give the source")
  }

  @Test(arguments: ["-- Grüße, 数, 🙂\n", "\r\nlocal x = 1\r\n", " ", "\u{2065}\u{206A}"])
  func `other text is accepted`(text: String) throws {
    _ = try PatchSource(files: [PatchFile(name: "x.lua", bytes: Array(text.utf8))])
  }
}
