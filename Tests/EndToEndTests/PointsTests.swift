// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

@Suite struct PointsTests {
  let shell: Shell
  let bankd: String

  init() throws {
    shell = try Shell()
    bankd = try BuiltProduct("bankd").path
    try FileManager.default.createSymbolicLink(
      atPath: "\(shell.path)/bankd", withDestinationPath: bankd)
  }

  @Test func `the points of a file are listed as a patch writes them, by part of the name`() throws
  {
    try expectEqual(
      waxwing("points", "bankd", "account.WITHDRAW"),
      """
      local Account = class "bankd.Account"
        Account:withdraw(value, memo)  func withdraw(_: Int, memo: String) -> Bool

      local SavingsAccount = class "bankd.SavingsAccount"
        SavingsAccount:withdraw(value, memo)  func withdraw(_: Int, memo: String) -> Bool

      2 patch points, all can be overridden

      """)
    try expectEqual(
      waxwing("points", "bankd", "account.title", "--selectors"),
      """
      bankd.Account.title.get
      bankd.Account.title.set

      """)
    try expectEqual(
      waxwing("points", "bankd", "schedule.fee", "--json"),
      """
      {
        "checked" : true,
        "points" : [
          {
            "async" : false,
            "declaration" : "func fee(on: Int) -> Int",
            "form" : "FeeSchedule:fee(on)",
            "kind" : "function",
            "module" : "bankd",
            "opaque" : null,
            "owner" : "class \\"bankd.FeeSchedule\\"",
            "parameters" : [
              "on"
            ],
            "refused" : null,
            "selector" : "bankd.FeeSchedule.fee(on:)",
            "static" : false,
            "symbol" : "$s5bankd11FeeScheduleC3fee2onS2i_tF",
            "type" : "bankd.FeeSchedule"
          }
        ],
        "program" : "bankd",
        "unchecked" : null
      }

      """)
    try expectEqual(
      waxwing("points", "bankd", "nothing"),
      """
      waxwing: error: no patch point of bankd contains 'nothing'
      waxwing: hint: see all of them with `waxwing points bankd`
      exited(3)
      """)
  }

  @Test func `nothing is run of a file that is only read, or that does not describe itself`() throws
  {
    try expectEqual(
      waxwing("points", "bankd", "schedule.fee", "--static"),
      """
      local FeeSchedule = class "bankd.FeeSchedule"
        FeeSchedule:fee(on)  func fee(on: Int) -> Int

      1 patch point, not checked

      """)
    // The name of the hook is in the file no more.
    var image = try Data(contentsOf: URL(fileURLWithPath: bankd))
    let hook = Data("\0waxwing_describe\0".utf8)
    while let found = image.range(of: hook) {
      image.replaceSubrange(found, with: Data("\0waxwing_describX\0".utf8))
    }
    try image.write(to: URL(fileURLWithPath: "\(shell.path)/foreign"))
    let foreign = try waxwing("points", "foreign", "schedule.fee", "--selectors")
    #expect(
      foreign.hasPrefix(
        """
        bankd.FeeSchedule.fee(on:)
        waxwing: warning: which points can be overridden was not checked:
        """), "\(foreign)")
    // Here it is, but the file may not be started.
    try ProgramCopy.make(bankd, to: "\(shell.path)/shut")
    try expectSuccess(Command("chmod", ["a-x", "\(shell.path)/shut"]).run())
    let answer = try waxwing("points", "shut", "schedule.fee", "--json")
    expectContains(answer, #""checked" : false"#)
    expectContains(answer, #""unchecked" : "the program cannot be started: Permission denied""#)
  }

  @Test func `the listing of a library names no program, as none has its name`() throws {
    try shell.directory.write("public func area(_ x: Int) -> Int { x }", to: "Flat.swift")
    let flags = ["-emit-library", "-module-name", "Flat", "-Xfrontend", "-enable-implicit-dynamic"]
    try expectSuccess(
      Command("swiftc", flags + ["Flat.swift", "-o", "libFlat.so"], directory: shell.path).run())
    try expectEqual(
      waxwing("points", "libFlat.so", "--patch"),
      """
      -- Overrides that only call the original: keep what you need, and change it.
      patch { name = "libFlat.so-pass-through" }

      local Flat = module "Flat"

      function Flat.area(value)
        return original(value)
      end
      waxwing: warning: which points can be overridden was not checked: it is a library: list the points of a program \
      that loads it

      """)
  }

  @Test func `file and line come from debug information, if there is any`() throws {
    let listed = try waxwing("points", "bankd", "bankd.account.withdraw", "--sources", "--static")
    #expect(listed.contains(#/ at .*/examples/bankd/Sources/\S*Account.swift:\d+\n/#))
    try ProgramCopy.make(bankd, to: "\(shell.path)/lean")
    try expectSuccess(Command("strip", ["--strip-debug", "\(shell.path)/lean"]).run())
    try expectContains(
      waxwing("points", "lean", "--sources", "--static"),
      "waxwing: error: lean has no debug information")
  }

  @Test func `a program that is asked in vain runs as ever`() throws {
    let usage = try Command(bankd, ["--unknown"], environment: ["WAXWING_DESCRIBE": "1"]).run()
    expectContains(usage.standardError, "--unknown")
    let closed = try Command(bankd, ["--unknown"], environment: ["WAXWING_DESCRIBE": "60077"]).run()
    expectEqual(closed.standardError, usage.standardError)
  }

  @Test func `a file that has none says why and what to do`() throws {
    try shell.directory.write("not a program\n", to: "text")
    try shell.directory.write("", to: "empty")
    let image = try Data(contentsOf: URL(fileURLWithPath: bankd))
    try image.prefix(1000).write(to: URL(fileURLWithPath: "\(shell.path)/cut"))
    try image.write(to: URL(fileURLWithPath: "\(shell.path)/stripped"))
    try expectSuccess(Command("strip", ["\(shell.path)/stripped"]).run())
    let tool = try BuiltProduct("waxwing").path
    try FileManager.default.createSymbolicLink(
      atPath: "\(shell.path)/plain", withDestinationPath: tool)

    let answers = try ["text", "empty", "cut", "stripped", "plain", "missing", "."].map {
      try waxwing("points", $0)
    }
    expectEqual(
      answers.joined(separator: "\n"),
      """
      waxwing: error: text: the file is text, not an ELF image
      waxwing: hint: name the program's binary
      exited(3)
      waxwing: error: empty: the file is empty
      waxwing: hint: build the program again
      exited(3)
      waxwing: error: cut: the ELF image is truncated or damaged: the section header table lies \
      outside the file
      waxwing: hint: build or copy it again
      exited(3)
      waxwing: error: stripped: the image is stripped: it has no .symtab, and its .dynsym names no \
      patch points
      waxwing: hint: use the unstripped build
      exited(3)
      waxwing: error: plain: the image has no patch points: no module of it was compiled with \
      implicit dynamic
      waxwing: hint: `waxwing points --code` lists its functions, and `--closures` its closures; for \
      patch points, add swiftSettings: [.unsafeFlags(["-Xfrontend", "-enable-implicit-dynamic"])] to \
      the target to be patched and build again
      exited(3)
      waxwing: error: missing: there is no file at 'missing'
      waxwing: hint: check the path
      exited(3)
      waxwing: error: .: '.' is not a regular file
      waxwing: hint: name the program's binary
      exited(3)
      """)
  }

  private func waxwing(_ arguments: String...) throws -> String {
    let result = try shell.waxwing(arguments)
    return result.standardOutput + result.standardError
      + (result.isSuccess ? "" : "\(result.status)")
  }
}
