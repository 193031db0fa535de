// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingTestSupport

/// The runbook's commands are real ones, and do what it says.
@Suite struct OperationsTests {
  /// The lines of the blocks marked `sh`, in their order, without comments.
  private func commands() throws -> [[String]] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/operations.md")
    var commands: [[String]] = []
    var isShell = false
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.hasPrefix("```") { isShell = text == "```sh" }
      guard isShell, text.hasPrefix("waxwing ") else { continue }
      let words = text.prefix { $0 != "#" }.split(separator: " ").dropFirst()
      commands.append(words.map(String.init))
    }
    return commands
  }

  @Test func `the runbook's commands, from top to bottom, on a patched daemon`() throws {
    let stage = try Stage()
    try stage.write(
      "local F = class 'bankd.FeeSchedule'\nfunction F:fee(amount) return 0 end", to: "fees.lua")
    try stage.write(
      "local F = class 'bankd.FeeSchedule'\nfunction F:fee(amount) return 1 end",
      to: "overdraft.lua")
    // `status` says whether there are patches.
    let codes: [[String]: Set<Int32>] = [["status"]: [0, 9], ["revert", "overdraft"]: [3]]
    let commands = try commands()
    #expect(commands.count >= 8)
    _ = try stage.tool(["apply", "fees.lua", "--keep"]).run()
    for command in commands {
      let result = try stage.tool(command).run()
      let isExpected = (codes[command] ?? [0]).contains { result.status == .exited($0) }
      #expect(isExpected, "\(command): \(result)")
    }
    try stage.plays(
      """
      GET /fees?amount=10000
        200 {"amount":10000,"fee":1}
      """)
  }
}
