// SPDX-License-Identifier: MIT

import Testing
import WaxwingPatches

@Suite struct PatchManifestTests {
  private func manifest(_ text: String, name: String = "x.lua") throws(PatchError) -> PatchManifest
  {
    try PatchManifest(of: PatchSource(files: [PatchFile(name: name, bytes: Array(text.utf8))]))
  }

  @Test func `all keys are read`() throws {
    let manifest = try manifest(
      """
      -- overdraft.lua
      --[==[ a comment
      ]] of several lines ]==]
      patch {                                   -- optional
        name = "overdraft", version = 3,
        program = 'bankd'; build = "3F2A9c00",
        limits = { instructions = 5e6, ["memory"] = "8M", milliseconds = 0x14 },
        on_error = "throw", parallel = true,
      }
      local Account = class "Bank.Account"
      """)
    var expected = PatchManifest(name: "overdraft")
    expected.version = 3
    expected.program = "bankd"
    expected.builds = ["3f2a9c00"]
    expected.limits.instructions = 5_000_000
    expected.limits.memory = 8 << 20
    expected.limits.milliseconds = 20
    expected.onError = .throw
    expected.parallel = true
    #expect(manifest == expected)
  }

  @Test(arguments: [
    "local x = 1", "-- patch { name = 'a' }\nreturn 1", "", "return patch",
    "local function patch(t) end\npatch { name = 1 }", "log.patch { 1 }", "x = \"unfinished",
    "--[[ unfinished", "x = { patch }", "patch = 1", "local p = patch { name = f() }", "@",
  ])
  func `a script without a manifest is named for its file`(text: String) throws {
    #expect(try manifest(text + " ", name: "fee-fix.lua") == PatchManifest(name: "fee-fix"))
  }

  /// What stands inside `program = …`, and the text that it means.
  static let strings: [(literal: String, value: String)] = [
    (#""a'b""#, "a'b"), (#"'a"b'"#, "a\"b"), (#""\65\066\x43\u{44}""#, "ABCD"),
    (#""\u{20AC}\u{1F642}""#, "€🙂"), (#""a\z   b""#, "ab"), ("\"a\\z \n\r\n  b\"", "ab"),
    ("[[a\"b]]", "a\"b"), ("[==[a]]b]=]c]==]", "a]]b]=]c"), ("[[\na]]", "a"), ("[[\r\na]]", "a"),
    (#""\\\"\'""#, "\\\"'"),
  ]

  @Test(arguments: strings)
  func `strings are read as Lua reads them`(literal: String, value: String) throws {
    #expect(try manifest("patch { program = \(literal) }").program == value)
  }

  /// What stands inside `version = …`, and the number that it means.
  static let numbers: [(literal: String, value: Int)] = [
    ("0", 0), ("007", 7), ("0xff", 255), ("0XA", 10), ("3.0", 3), ("3.", 3), ("5e2", 500),
    (".5e1", 5), ("0x1p4", 16), ("0x.8p1", 1), ("9223372036854775807", .max), ("-0", 0),
    ("1E+2", 100),
  ]

  @Test(arguments: numbers)
  func `numbers are read as Lua reads them`(literal: String, value: Int) throws {
    #expect(try manifest("patch { version = \(literal) }").version == value)
  }

  @Test(arguments: [
    ("1", 1), ("\"512\"", 512), ("\"512K\"", 512 << 10), ("\"8m\"", 8 << 20), ("'2G'", 2 << 30),
    ("8388608.0", 8 << 20),
  ])
  func `memory is a number of bytes or text with a unit`(literal: String, value: Int) throws {
    #expect(try manifest("patch { limits = { memory = \(literal) } }").limits.memory == value)
  }

  @Test(arguments: [
    "patch { name = 'a' }", "patch({ name = 'a' })", ";patch{name='a'};(f or g)()",
    "patch { name = 'a', program = nil }", "patch { name = 'a' } ::top:: goto top",
    "patch { ['name'] = 'a', parallel = false }", "patch\n{ name = [[a]] }\nlocal x = 1",
  ])
  func `a manifest may be written in several ways`(text: String) throws {
    #expect(try manifest(text) == PatchManifest(name: "a"))
  }

  @Test func `a manifest in a folder is main's, and modules have none`() throws {
    let main = PatchFile(name: "fees/main.lua", bytes: Array("return 1".utf8))
    let good = PatchFile(name: "fees/m.lua", bytes: Array("return 2".utf8))
    let bad = PatchFile(name: "fees/m.lua", bytes: Array("\npatch { name = 'b' }".utf8))
    #expect(try PatchManifest(of: PatchSource(files: [main, good])).name == "fees")
    let error = #expect(throws: PatchError.self) {
      try PatchManifest(of: PatchSource(files: [main, bad]))
    }
    #expect(error?.located == "fees/m.lua:2: a module has no manifest")
  }

  @Test func `a file whose name cannot be a patch's needs a manifest`() throws {
    let error = #expect(throws: PatchError.self) { try manifest("return 1", name: "my fix.lua") }
    #expect(error?.remedy == "write patch { name = \"short-name\" } at the top")
    #expect(try manifest("patch { name = 'fix' }", name: "my fix.lua").name == "fix")
  }
}
