// SPDX-License-Identifier: MIT

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
    #expect(try shell.waxwing(["init", "plain"], timeout: Self.patience).isSuccess)
    let made = try shell.waxwing(["init", "fees/", "--program", bankd], timeout: Self.patience)
    #expect(
      made.standardOutput == """
        made fees: main.lua, spec/fees_spec.lua, .luarc.json, .luacheckrc, .waxwing/stubs.lua
        check it with `waxwing check fees --program \(bankd)`

        """, "\(made)")
    for words in [["plain"], ["fees", "--program", bankd]] {
      let result = try shell.waxwing(["check", "--strict"] + words, timeout: Self.patience)
      #expect(result.isSuccess, "\(result)")
      #expect(result.standardOutput.hasPrefix("1 patch checked"), "\(result)")
    }
    #expect(
      try text("fees/main.lua").contains(
        #"patch { name = "fees", version = 1, program = "bankd" }"#))
    #expect(try text("fees/main.lua").contains("--   function Account:"))
    #expect(try text("fees/.waxwing/stubs.lua").contains("---@class bankd.Account\n"))
    #expect(try text("plain/.waxwing/stubs.lua").contains("\nfunction class("))
  }

  @Test func `a new patch loads in a daemon and is seen there`() throws {
    let stage = try Stage()
    let made = try stage.tool(["init", "fees", "--socket", stage.socket]).run(
      timeout: Self.patience)
    #expect(made.standardOutput.hasPrefix("made fees"), "\(made)")
    #expect(try stage.waxwing(["apply", "fees"]).contains("applied"))
    #expect(stage.log.contains("fees is live"), "\(stage.log)")
    #expect(try stage.waxwing(["revert", "fees"]).contains("fees"))
    let tested = try stage.waxwing(["test", "fees"])
    #expect(tested.contains("ok 3 - fees the type is what it was\n"), "\(tested)")
    #expect(tested.contains("\n  1..4\n  # 0 failures"), "\(tested)")
  }

  @Test func `the example in it is an override that can be applied`() throws {
    #expect(
      try shell.waxwing(["init", "fees", "--program", bankd], timeout: Self.patience).isSuccess)
    let lines = try text("fees/main.lua").split(separator: "\n", omittingEmptySubsequences: false)
    let code = lines.filter { $0.hasPrefix("--   ") }.map { $0.dropFirst(5) }
    #expect(code.contains { $0.contains("ORIG") })
    try shell.directory.write(code.joined(separator: "\n"), to: "example.lua")
    let result = try shell.waxwing(
      ["check", "example.lua", "--program", bankd, "--strict"], timeout: Self.patience)
    #expect(result.isSuccess, "\(result)")
  }

  @Test func `nothing is overwritten, and no folder is left of a name that no patch has`() throws {
    #expect(try shell.bash("mkdir fees && printf mine > fees/main.lua").isSuccess)
    let taken = try shell.waxwing(["init", "fees"], timeout: Self.patience)
    #expect("\(taken.status)" == "exited(1)")
    #expect(
      taken.standardError == """
        waxwing: error: cannot make fees: File exists
        waxwing: hint: give another name, or remove what is there

        """)
    #expect(try text("fees/main.lua") == "mine")
    let named = try shell.waxwing(["init", "two words"], timeout: Self.patience)
    #expect("\(named.status)" == "exited(2)", "\(named)")
    #expect(named.standardError.contains("'two words' cannot be the name of a patch"))
    #expect(!FileManager.default.fileExists(atPath: "\(shell.path)/two words"))
  }

  /// `Reachable.txt` is compared with what scripts reach in a program, by another test.
  @Test func `settings for luacheck have the globals that a patch has, and no others`() throws {
    #expect(try shell.waxwing(["init", "fees"], timeout: Self.patience).isSuccess)
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
    let own = try String(contentsOf: root.appendingPathComponent(".luacheckrc"), encoding: .utf8)
    let lua = Set(
      "_G _VERSION assert coroutine error getmetatable ipairs math next pairs pcall print rawequal rawget "
        .appending(
          "rawlen rawset require select setmetatable string table tonumber tostring type utf8 xpcall"
        )
        .split(separator: " "))
    let definitions = try text("fees/.waxwing/stubs.lua")
    for name in listed where !name.contains(".") && !lua.contains(name) {
      #expect(own.contains("\"\(name)\""), "\(name) is missing in .luacheckrc")
      #expect(
        definitions.contains("\nfunction \(name)(") || definitions.contains("\n\(name) = "),
        "\(name) is missing in lua/meta/globals.lua")
    }
  }

  static let hasLuacheck =
    (try? Command("/bin/sh", ["-c", "command -v luacheck"]).run().isSuccess) == true

  @Test(.enabled(if: InitTests.hasLuacheck, "luacheck is not installed"))
  func `luacheck takes a new patch, and finds what is no global`() throws {
    #expect(try shell.waxwing(["init", "fees"], timeout: Self.patience).isSuccess)
    let clean = try shell.bash("cd fees && luacheck --no-color .")
    #expect(clean.isSuccess, "\(clean)")
    let found = try shell.bash(
      "cd fees && echo 'io.open(lgo)' > other.lua && luacheck --no-color .")
    #expect(found.standardOutput.contains("variable 'io'"), "\(found)")
    #expect(found.standardOutput.contains("variable 'lgo'"), "\(found)")
  }
}
