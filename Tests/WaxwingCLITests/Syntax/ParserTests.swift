// SPDX-License-Identifier: MIT

import CWaxwingLua
import Foundation
import SeededRandom
import Testing
import WaxwingCLI
import WaxwingPatches

/// The parser reads what Lua's compiler takes, and finds out what names stand for.
@Suite struct ParserTests {
  private static func file(_ text: String) -> PatchFile {
    PatchFile(name: "a.lua", bytes: Array(text.utf8))
  }

  private func outline(_ text: String) throws -> PatchOutline {
    PatchOutline(try LuaChunk(Self.file(text)))
  }

  private func reads(_ text: String) throws -> [String] {
    try outline(text).reads.map { "\($0.name) \($0.place.line):\($0.place.column)" }
  }

  @Test func `strings and comments of all forms hide what is in them`() throws {
    let text = #"""
      --[==[ hidden ]] ]==] a = b --[[x
      y]] c = "d\"e" .. 'f\
      g' .. [=[
      h]]i]=] .. "\z
            \u{1F600}\x41\065" -- j
      k = l
      """#
    #expect(try reads(text) == ["b 1:27", "l 6:5"])
    #expect(try outline(text).assigned == ["a", "c", "k"])
  }

  @Test func `columns count characters, not bytes`() throws {
    #expect(try reads("local s = 'äöü😀' .. x") == ["x 1:21"])
  }

  @Test func `names are local where Lua's scopes say so`() throws {
    #expect(try reads("local x = x; print(x)") == ["x 1:11", "print 1:14"])
    #expect(try reads("do local y end return y") == ["y 1:23"])
    #expect(try reads("repeat local z = 1 until z") == [])
    #expect(try reads("for i, v in i do local _ = v end return v") == ["i 1:13", "v 1:41"])
    #expect(try reads("for n = n, 2 do local _ = n end") == ["n 1:9"])
    #expect(try reads("local function f() return f end") == [])
    #expect(try reads("local f = function() return f end") == ["f 1:29"])
    #expect(try reads("function t:m(a, ...) return self, a, ... end") == ["t 1:10"])
    #expect(try reads("local _ENV = {}; return a") == [])
    #expect(try reads("local a <const>, b <close> = 1, nil; return a, b") == [])
    #expect(try reads("goto done; do ::done:: end ::done::") == [])
    #expect(
      try reads("return { a = 1, [b] = c, d; e == f }").map { $0.prefix(1) }
        == ["b", "c", "d", "e", "f"])
  }

  @Test func `what is not Lua has its compiler's message, and a place`() {
    #expect(
      throws: LuaSyntaxError(place: .init(line: 2, column: 7), message: "syntax error near 'y'")
    ) {
      try LuaChunk(Self.file("a = 1\n  x   y"))
    }
    #expect(throws: LuaSyntaxError.self) { try LuaChunk(Self.file("break")) }
    #expect(throws: LuaSyntaxError.self) { try LuaChunk(Self.file("goto nowhere")) }
    #expect(throws: LuaSyntaxError.self) { try LuaChunk(Self.file("local x <const> = 1; x = 2")) }
    #expect(throws: LuaSyntaxError.self) { try LuaChunk(Self.file("\u{1b}Lua")) }
    let deep = String(repeating: "(", count: 5000) + "1" + String(repeating: ")", count: 5000)
    #expect(throws: LuaSyntaxError.self) { try LuaChunk(Self.file("return \(deep)")) }
  }

  /// Every Lua file of the repository: what Lua takes is read to its end.
  @Test func `the parser takes what the compiler takes`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    var count = 0
    for folder in ["lua", "examples", "Tests"] {
      let files = FileManager.default.enumerator(
        at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
      while let url = files?.nextObject() as? URL {
        guard url.pathExtension == "lua", let bytes = try? Data(contentsOf: url) else { continue }
        let isLua = bytes.withUnsafeBytes {
          wax_lua_is_chunk($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, nil, 0)
        }
        guard isLua else { continue }
        count += 1
        #expect(throws: Never.self, "\(url.path)") {
          try LuaChunk(PatchFile(name: "a.lua", bytes: Array(bytes)))
        }
      }
    }
    #expect(count > 100)
  }

  /// Pieces of Lua in any order: most are no Lua, and some are.
  @Test func `the parser agrees with the compiler on random texts`() {
    let words = [
      "a", "b.c", "(d)", "e:f()", "1", "0x1p4", "'s'", "[[l]]", "{}", "{1,a=2;[3]=4}", "...", "nil",
      "function() end", "not", "-", "#", "~", "+", "..", "^", "==", "and", "or", "=", ",", ";",
      "local", "return", "do", "end", "if", "then", "else", "while", "x = 1", "f()", "f{}", "f''",
      "\n", "--[[c]]", "repeat", "until", "for i = 1, 2 do", "for k in p do", "local function g()",
      "::l::", "<const>",
    ]
    let seed = TestSeed.drawn
    var generator = seed.generator
    var taken = 0
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 1...7, using: &generator))
        .map { _ in words[Int.random(in: words.indices, using: &generator)] }
        .joined(separator: " ")
      let isLua = Array(text.utf8).withUnsafeBytes {
        wax_lua_is_chunk($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, nil, 0)
      }
      guard isLua else { continue }
      taken += 1
      #expect(throws: Never.self, "\(text); \(seed)") { try LuaChunk(Self.file(text)) }
    }
    #expect(taken > 100)
  }
}
