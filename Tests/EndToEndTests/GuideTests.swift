// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// What the documents show has to work.
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
    #expect(blocks.count >= 2)
    for block in blocks {
      try shell.directory.write(block, to: "block.lua")
      let result = try shell.waxwing(["run", "block.lua"])
      #expect(result.isSuccess && result.standardError.isEmpty, "\(block)\n\(result)")
    }
  }

  /// The patches in docs/patching.md.
  static func examples() throws -> [String] { try blocks("lua") }

  /// The blocks of code in docs/patching.md that are marked so.
  private static func blocks(_ mark: String) throws -> [String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../..").standardizedFileURL
    let guide = try String(
      contentsOf: root.appendingPathComponent("docs/patching.md"), encoding: .utf8)
    return guide.components(separatedBy: "```\(mark)\n").dropFirst()
      .map { String($0.prefix(upTo: $0.range(of: "```")?.lowerBound ?? $0.endIndex)) }
  }
}
