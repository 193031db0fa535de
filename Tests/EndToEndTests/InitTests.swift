// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// `waxwing init`.
@Suite struct InitTests {
  /// All symbols are read, by a tool that is not optimised, while other tests run.
  private static let patience = Duration.seconds(240)

  let shell: Shell
  let bankd: String

  init() throws {
    shell = try Shell()
    bankd = try BuiltProduct("bankd").path
  }

  private func text(_ file: String) throws -> String {
    try String(contentsOfFile: "\(shell.path)/\(file)", encoding: .utf8)
  }

  @Test func `a new patch is accepted at once, with a program and without`() throws {
    try expectSuccess(shell.waxwing(["init", "plain"], timeout: Self.patience))
    let made = try shell.waxwing(["init", "fees/", "--program", bankd], timeout: Self.patience)
    #expect(
      made.standardOutput == """
        made fees: main.lua, spec/fees_spec.lua, .luarc.json, .luacheckrc, .waxwing/stubs.lua
        check it with `waxwing check fees --program \(bankd)`

        """, "\(made)")
    for words in [["plain"], ["fees", "--program", bankd]] {
      let result = try shell.waxwing(["check", "--strict"] + words, timeout: Self.patience)
      expectSuccess(result)
      #expect(result.standardOutput.hasPrefix("1 patch checked"), "\(result)")
    }
    try expectContains(
      text("fees/main.lua"), #"patch { name = "fees", version = 1, program = "bankd" }"#)
    try expectContains(text("fees/main.lua"), "--   function Account:")
    try expectContains(text("fees/.waxwing/stubs.lua"), "---@class bankd.Account\n")
    try expectContains(text("plain/.waxwing/stubs.lua"), "\nfunction class(")
  }

  @Test func `a new patch loads in a daemon and is seen there`() throws {
    let stage = try Stage()
    let made = try stage.tool(["init", "fees", "--socket", stage.socket]).run(
      timeout: Self.patience)
    #expect(made.standardOutput.hasPrefix("made fees"), "\(made)")
    try expectContains(stage.waxwing(["apply", "fees"]), "applied")
    expectContains(stage.log, "fees is live")
    try expectContains(stage.waxwing(["revert", "fees"]), "fees")
    let tested = try stage.waxwing(["test", "fees"])
    expectContains(tested, "ok 3 - fees the type is what it was\n")
    expectContains(tested, "\n  1..4\n  # 0 failures")
  }

  @Test func `the example in it is an override that can be applied`() throws {
    try expectSuccess(shell.waxwing(["init", "fees", "--program", bankd], timeout: Self.patience))
    let lines = try text("fees/main.lua").split(separator: "\n", omittingEmptySubsequences: false)
    let code = lines.filter { $0.hasPrefix("--   ") }.map { $0.dropFirst(5) }
    #expect(code.contains { $0.contains("ORIG") })
    try shell.directory.write(code.joined(separator: "\n"), to: "example.lua")
    let result = try shell.waxwing(
      ["check", "example.lua", "--program", bankd, "--strict"], timeout: Self.patience)
    expectSuccess(result)
  }

  @Test func `nothing is overwritten, and no folder is left of a name that no patch has`() throws {
    try expectSuccess(shell.bash("mkdir fees && printf mine > fees/main.lua"))
    let taken = try shell.waxwing(["init", "fees"], timeout: Self.patience)
    expectEqual("\(taken.status)", "exited(4)")
    expectEqual(
      taken.standardError,
      """
      waxwing: error: cannot make fees: File exists
      waxwing: hint: give another name, or remove what is there

      """)
    try expectEqual(text("fees/main.lua"), "mine")
    let named = try shell.waxwing(["init", "two words"], timeout: Self.patience)
    #expect("\(named.status)" == "exited(2)", "\(named)")
    expectContains(named.standardError, "'two words' cannot be the name of a patch")
    #expect(!FileManager.default.fileExists(atPath: "\(shell.path)/two words"))
  }

  /// `Reachable.txt` is compared with what scripts reach in a program, by another test.
  @Test func `settings for luacheck have the globals that a patch has, and no others`() throws {
    try expectSuccess(shell.waxwing(["init", "fees"], timeout: Self.patience))
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let reachable = try String(
      contentsOf: root.appendingPathComponent("Tests/WaxwingTests/Reachable.txt"), encoding: .utf8
    ).split(separator: "\n").compactMap { $0.firstMatch(of: #/^_G\.([\w.]+): \w+/#)?.1 }
    // The settings are Lua.
    try shell.directory.write(
      """
      stds = {}
      \(try text("fees/.luacheckrc"))
      for key, value in pairs(stds.waxwing.read_globals) do
        print(type(value) == "table" and key or value)
        for _, field in ipairs(type(value) == "table" and value.fields or {}) do
          print(key .. "." .. field)
        end
      end
      """, to: "print.lua")
    let result = try shell.waxwing(["run", "print.lua"], timeout: Self.patience)
    let listed = Set(result.standardOutput.split(separator: "\n"))
    #expect(listed == Set(reachable + ["_G"]), "\(listed.symmetricDifference(reachable)) \(result)")
    let lua = Set(
      "_G _VERSION assert coroutine error getmetatable ipairs math next pairs pcall print rawequal rawget "
        .appending(
          "rawlen rawset require select setmetatable string table tonumber tostring type utf8 xpcall"
        )
        .split(separator: " "))
    // The project's own settings read them there.
    let own = try String(contentsOf: root.appendingPathComponent(".luacheckrc"), encoding: .utf8)
    expectContains(own, "loaders[1](\"lua.meta.globals\")")
    let definitions = try text("fees/.waxwing/stubs.lua")
    for name in listed where !name.contains(".") && !lua.contains(name) {
      #expect(
        definitions.contains("\nfunction \(name)(") || definitions.contains("\n\(name) = "),
        "\(name) is missing in lua/meta/globals.lua")
    }
  }

  static let hasLuacheck =
    (try? Command("/bin/sh", ["-c", "command -v luacheck"]).run().isSuccess) == true

  @Test(.enabled(if: InitTests.hasLuacheck, "luacheck is not installed"))
  func `luacheck takes a new patch, and finds what is no global`() throws {
    try expectSuccess(shell.waxwing(["init", "fees"], timeout: Self.patience))
    let clean = try shell.bash("cd fees && luacheck --no-color .")
    expectSuccess(clean)
    let found = try shell.bash(
      "cd fees && echo 'io.open(lgo)' > other.lua && luacheck --no-color .")
    expectContains(found.standardOutput, "variable 'io'")
    expectContains(found.standardOutput, "variable 'lgo'")
  }
}
