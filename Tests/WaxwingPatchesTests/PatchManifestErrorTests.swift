// SPDX-License-Identifier: MIT

import SeededRandom
import Testing
import WaxwingPatches

@Suite struct PatchManifestErrorTests {
  /// A script, and its refusal with place and remedy.
  static let refused: [(text: String, message: String)] = [
    (
      "patch {\n  nmae = 'a',\n}",
      "x.lua:2: unknown key 'nmae' in the patch table; did you mean 'name'?"
    ),
    (
      "patch { limits = { memroy = 1 } }",
      "x.lua:1: unknown key 'limits.memroy' in the patch table; did you mean 'memory'?"
    ),
    (
      "patch { colour = 1 }",
      "x.lua:1: unknown key 'colour' in the patch table; "
        + "known are name, version, program, build, serial, expires, capabilities, overrides, "
        + "limits, on_error, partial, parallel"
    ),
    ("patch {\n name = 3 }", "x.lua:2: 'name' must be a string, not an integer; correct it"),
    (
      "patch { version = '3' }",
      "x.lua:1: 'version' must be a whole number, not a string; correct it"
    ),
    (
      "patch { version = 1.5 }",
      "x.lua:1: 'version' must be a whole number, not a float; correct it"
    ),
    ("patch { version = -1 }", "x.lua:1: 'version' must be 0 or more; correct it"),
    (
      "patch { version = 1e300 }",
      "x.lua:1: 'version' must be a whole number, not a float; correct it"
    ),
    ("patch { limits = 5 }", "x.lua:1: 'limits' must be a table, not an integer; correct it"),
    (
      "patch { limits = { instructions = 0 } }",
      "x.lua:1: 'limits.instructions' must be 1 or more; correct it"
    ),
    (
      "patch { limits = { memory = '8X' } }",
      "x.lua:1: 'limits.memory' must be a number of bytes; "
        + "write a number, or text like \"512K\" or \"8M\""
    ),
    (
      "patch { limits = { memory = '99999999999G' } }",
      "x.lua:1: 'limits.memory' must be a number of bytes; "
        + "write a number, or text like \"512K\" or \"8M\""
    ),
    (
      "patch { on_error = 'orignal' }",
      "x.lua:1: 'on_error' cannot be 'orignal'; did you mean 'original'?"
    ),
    (
      "patch { on_error = 'x' }",
      "x.lua:1: 'on_error' cannot be 'x'; write \"original\" or \"throw\""
    ),
    (
      "patch { parallel = 1 }",
      "x.lua:1: 'parallel' must be true or false, not an integer; correct it"
    ),
    (
      "patch { build = 'xyz' }",
      "x.lua:1: 'build' must be a build id in hexadecimal; "
        + "copy it from `waxwing status`, or leave it out"
    ),
    (
      "patch { name = '' }",
      "x.lua:1: 'name' must be one line of text and not empty; correct it"
    ),
    (
      "patch { name = 'a\\nb' }",
      "x.lua:1: 'name' must be one line of text and not empty; correct it"
    ),
    (
      "patch { name = 'a b' }",
      "x.lua: 'a b' cannot be the name of a patch: it has spaces, '/' or is too long; "
        + "write patch { name = \"short-name\" } at the top"
    ),
    ("patch { name = 'a', name = 'b' }", "x.lua:1: 'name' is given twice; remove one of the two"),
    ("patch { 'a' }", "x.lua:1: a value without a name in the patch table; write key = value"),
    (
      "patch { [1] = 'a' }",
      "x.lua:1: a value without a name in the patch table; write key = value"
    ),
    (
      "patch { version = 1 + 1 }",
      "x.lua:1: the patch table may contain constants only, not '+'; "
        + "write the value itself; the table is read without running the script"
    ),
    (
      "patch { name = 'a' .. 'b' }",
      "x.lua:1: the patch table may contain constants only, not '..'; "
        + "write the value itself; the table is read without running the script"
    ),
    (
      "patch { name = other }",
      "x.lua:1: the patch table may contain constants only, not 'other'; "
        + "write the value itself; the table is read without running the script"
    ),
    (
      "patch {\n name }",
      "x.lua:2: the patch table may contain constants only, not 'name'; "
        + "write the value itself; the table is read without running the script"
    ),
    (
      "patch { name = function() end }",
      "x.lua:1: the patch table may contain constants only, not 'function'; "
        + "write the value itself; the table is read without running the script"
    ),
    (
      "patch(config)",
      "x.lua:1: 'patch' takes a table of constants, not 'config'; "
        + "write patch { name = \"…\", version = 1 }"
    ),
    (
      "patch 'a'",
      "x.lua:1: 'patch' takes a table of constants, not a string; "
        + "write patch { name = \"…\", version = 1 }"
    ),
    ("patch {\n name = 'a'\n", "x.lua:1: the table has no end; close it with '}'"),
    ("patch({ name = 'a' }", "x.lua:1: expected ')' before the end of the file; close the call"),
    (
      "patch { name = 'a' } (print)()",
      "x.lua:1: the patch table is followed by '('; "
        + "make it a statement of its own, followed by ';' if necessary"
    ),
    (
      "local x = 1\nif x then\n  patch { name = 'a' }\nend",
      "x.lua:3: 'patch' must be the first statement of the script; "
        + "move it to the top: only comments may come before it"
    ),
    (
      "f()\npatch({})",
      "x.lua:2: 'patch' must be the first statement of the script; "
        + "move it to the top: only comments may come before it"
    ),
    (
      "patch { name = 'a' }\npatch { name = 'b' }",
      "x.lua:2: the script calls 'patch' a second time; keep one patch { … } at the top"
    ),
    ("patch { name = 'a", "x.lua:1: the string has no end; close the quote"),
    ("patch { name = 'a\n' }", "x.lua:1: the string has no end; close the quote"),
    ("patch { name = [=[a]] }", "x.lua:1: the string has no end; close it with ']=]'"),
    ("patch {\n --[[ x }", "x.lua:2: the comment has no end; close it with ']]'"),
    (
      "patch { name = '\\q' }",
      "x.lua:1: unknown escape in the string; write '\\\\' for a backslash"
    ),
    ("patch { name = '\\300' }", "x.lua:1: '\\300' is above 255; write '\\\\' for a backslash"),
    (
      "patch { name = '\\xg0' }",
      "x.lua:1: '\\x' needs two hexadecimal digits; write '\\\\' for a backslash"
    ),
    (
      "patch { name = '\\u{80000000}' }",
      "x.lua:1: the '\\u' escape is above 7FFFFFFF; write '\\\\' for a backslash"
    ),
    ("patch { version = 3x }", "x.lua:1: '3x' is not a number; fix the number"),
    ("patch { version = 0x }", "x.lua:1: '0x' is not a number; fix the number"),
    ("patch { version = 1..2 }", "x.lua:1: '1..2' is not a number; fix the number"),
  ]

  @Test(arguments: refused)
  func `a malformed manifest is refused with place and remedy`(text: String, message: String) {
    let error = #expect(throws: PatchError.self) {
      try PatchManifest(of: PatchSource(files: [PatchFile(name: "x.lua", bytes: Array(text.utf8))]))
    }
    #expect(error?.description == message)
    #expect(error?.code == .manifest)
  }

  @Test func `nesting without end is refused and not followed`() {
    let text = "patch { limits = " + String(repeating: "{", count: 50_000)
    let error = #expect(throws: PatchError.self) {
      try PatchManifest(of: PatchSource(files: [PatchFile(name: "x.lua", bytes: Array(text.utf8))]))
    }
    #expect(error?.located == "x.lua:1: tables are nested deeper than 32")
  }

  @Test func `no text makes the reader trap`() {
    let text = Array(
      "patch { name = 'a\\x41\\u{41}', [ [=[k]=] ] = -0x1p4, --[[c]] l = {1;2} }".utf8)
    var random = TestSeed.drawn.generator  // its seed is printed
    for _ in 0..<3000 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 1...127, using: &random)
        case 1: bytes.removeSubrange(index...min(index + 3, bytes.count - 1))
        default: bytes.insert(contentsOf: text.shuffled(using: &random).prefix(4), at: index)
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      _ = try? PatchManifest(of: PatchSource(files: [PatchFile(name: "x.lua", bytes: bytes)]))
    }
  }
}
