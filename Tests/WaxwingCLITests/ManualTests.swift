// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingTestSupport

@Suite struct ManualTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  @Test func `a page has what help has`() throws {
    let page = try tool.run("man", "restore").output
    #expect(page.hasPrefix(#".TH "WAXWING-RESTORE" "1" "20"#))
    #expect(page.contains("\nwaxwing\\-restore \\- ends all patches and verifies"))
    #expect(page.contains("\n\\fB\\-\\-wait TIME\\fR\nhow long to wait for calls"))
    #expect(page.contains("\nwaxwing restore bankd \\-\\-wait 2\n"))
    #expect(try tool.run("man").output.contains("\n\\fBwaxwing\\-apply(1)\\fR\nloads patches"))
  }

  @Test func `the date of pages can be given`() throws {
    let result = try Command(
      Tool.path, ["man", "list"], environment: ["SOURCE_DATE_EPOCH": "1700000000"]
    ).run()
    #expect(result.standardOutput.contains(#" "1" "2023-11-14" "waxwing "#))
    let wrong = try Command(Tool.path, ["man"], environment: ["SOURCE_DATE_EPOCH": "soon"]).run()
    #expect(wrong.status == .exited(2))
    #expect(wrong.standardError.contains("SOURCE_DATE_EPOCH is not a number of seconds: 'soon'"))
  }

  @Test func `every command has a page, and no page a mistake`() throws {
    let pages = try pages()
    let commands = try tool.run("--help").output.split(separator: "\n")
      .drop { $0 != "Commands:" }.dropFirst().prefix { $0.hasPrefix("  ") }
      .filter { !$0.hasPrefix("   ") }.map {
        "waxwing-\($0.dropFirst(2).prefix { $0 != " " }).1"
      }
    #expect(pages.map { ($0 as NSString).lastPathComponent } == (commands + ["waxwing.1"]).sorted())
  }

  @Test(.enabled(if: Terminal.isInstalled("mandoc")))
  func `mandoc has no complaint`() throws {
    let result = try Command("/usr/bin/mandoc", ["-T", "lint", "-W", "warning"] + pages()).run()
    #expect(result.standardOutput + result.standardError == "")
    #expect(result.isSuccess)
  }

  @Test(.enabled(if: Terminal.isInstalled("man") && Terminal.isInstalled("groff")))
  func `groff has no complaint`() throws {
    for page in try pages() {
      let result = try Command(
        "/usr/bin/man", ["--warnings", "-l", page],
        environment: ["MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"]
      ).run()
      #expect(result.standardError == "", "\(page)")
      #expect(result.standardOutput.contains("SYNOPSIS"))
    }
  }

  private func pages() throws -> [String] {
    let folder = tool.folder.path + "/man"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(try tool.run("man", "--folder", folder) == Tool.Result(exitCode: 0))
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
      "\(folder)/\($0)"
    }
  }
}
