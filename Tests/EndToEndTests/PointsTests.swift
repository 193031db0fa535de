// SPDX-License-Identifier: MIT

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

  @Test func `the points of a file are listed with their types, by part of the name`() throws {
    #expect(
      try waxwing("points", "bankd", "account.WITHDRAW") == """
        SELECTOR                                DECLARATION
        bankd.Account.withdraw(_:memo:)         func withdraw(_: Int, memo: String) -> Bool
        bankd.SavingsAccount.withdraw(_:memo:)  func withdraw(_: Int, memo: String) -> Bool

        """)
    #expect(
      try waxwing("points", "bankd", "schedule.fee", "--json") == """
        [
          {
            "declaration" : "func fee(on: Int) -> Int",
            "selector" : "bankd.FeeSchedule.fee(on:)"
          }
        ]

        """)
    #expect(
      try waxwing("points", "bankd", "nothing") == """
        waxwing: error: no patch point of bankd contains 'nothing'
        waxwing: hint: see all of them with `waxwing points bankd`
        exited(1)
        """)
  }

  @Test func `a file that has none says why and what to do`() throws {
    try shell.directory.write("not a program\n", to: "text")
    try shell.directory.write("", to: "empty")
    let image = try Data(contentsOf: URL(fileURLWithPath: bankd))
    try image.prefix(1000).write(to: URL(fileURLWithPath: "\(shell.path)/cut"))
    try image.write(to: URL(fileURLWithPath: "\(shell.path)/stripped"))
    #expect(try Command("strip", ["\(shell.path)/stripped"]).run().isSuccess)
    let tool = try BuiltProduct("waxwing").path
    try FileManager.default.createSymbolicLink(
      atPath: "\(shell.path)/plain", withDestinationPath: tool)

    let answers = try ["text", "empty", "cut", "stripped", "plain", "missing", "."].map {
      try waxwing("points", $0)
    }
    #expect(
      answers.joined(separator: "\n") == """
        waxwing: error: text: the file is text, not an ELF image; name the program's binary
        exited(3)
        waxwing: error: empty: the file is empty; build the program again
        exited(3)
        waxwing: error: cut: the ELF image is cut short or damaged: the section header table lies \
        outside the file; build or copy it again
        exited(3)
        waxwing: error: stripped: the image is stripped: it has no .symtab, and its .dynsym names no \
        patch points; use the unstripped build
        exited(3)
        waxwing: error: plain: the image has no patch points: no module of it was compiled with \
        implicit dynamic; add swiftSettings: [.unsafeFlags(["-Xfrontend", \
        "-enable-implicit-dynamic"])] to the target to be patched and build again
        exited(3)
        waxwing: error: missing: there is no file at 'missing'; check the path
        exited(3)
        waxwing: error: .: '.' is not a regular file; name the program's binary
        exited(3)
        """)
  }

  private func waxwing(_ arguments: String...) throws -> String {
    let result = try shell.waxwing(arguments)
    return result.standardOutput + result.standardError
      + (result.isSuccess ? "" : "\(result.status)")
  }
}
