// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// What docs/patching.md and the pages in docs/patching show has to work.
@Suite struct GuideTests {
  @Test(arguments: try GuideTests.examples())
  func `every example of the guide is a patch that goes in and works`(example: String) throws {
    let stage = try Stage()
    try stage.write(example, to: "example.lua")
    let answer = try stage.waxwing(["apply", "example.lua"])
    #expect(answer.hasPrefix("  applied "), "\(answer)")
    _ = try stage.transcript(
      #"""
      POST /accounts {"owner":"Ada"}
      POST /accounts/1001/title {"title":"mine"}
      POST /accounts/1001/deposit {"amount":10000}
      POST /accounts/1001/withdraw {"amount":20000}
      POST /accounts/1001/withdraw {"amount":500000}
      POST /exchanges {"account":1001,"amount":100,"currency":"USD"}
      GET /accounts/1001
      GET /rates?currency=USD
      POST /exchanges {"account":1001,"amount":100,"currency":"GBP"}
      """#)
    let (status, list) = (try stage.waxwing(["status"]), try stage.waxwing(["list"]))
    expectContains(status, ", 0 errors")
    #expect(!status.contains(", 0 calls,"), "\(list)")
  }

  @Test func `every line that the guide shows of calling Swift runs`() throws {
    let shell = try Shell()
    let blocks = try Self.blocks("lua run")
    #expect(blocks.count >= 3)
    for block in blocks {
      try shell.directory.write(block, to: "block.lua")
      let result = try shell.waxwing(["run", "block.lua"])
      #expect(result.isSuccess && result.standardError.isEmpty, "\(block)\n\(result)")
    }
  }

  @Test func `the guide leads to each of its reference pages`() throws {
    let guide = try Self.text(of: "docs/patching.md")
    for page in try Self.referencePages() {
      #expect(guide.contains("(\(page.dropFirst("docs/".count)))"), "\(page)")
    }
  }

  /// The patches in the guide and its reference pages. Each is a patch by itself, so they have no order.
  static func examples() throws -> [String] { try blocks("lua") }

  /// The blocks of code in the guide and its reference pages that are marked so.
  static func blocks(_ mark: String) throws -> [String] {
    try (["docs/patching.md"] + referencePages()).flatMap { page in
      try text(of: page).components(separatedBy: "```\(mark)\n").dropFirst()
        .map { String($0.prefix(upTo: $0.range(of: "```")?.lowerBound ?? $0.endIndex)) }
    }
  }

  /// The pages in docs/patching.
  private static func referencePages() throws -> [String] {
    let folder = root.appendingPathComponent("docs/patching").path
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".md") }.sorted().map { "docs/patching/\($0)" }
  }

  static func text(of page: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL
}
