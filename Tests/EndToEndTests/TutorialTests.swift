// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// docs/tutorial.md, typed in by a beginner.
@Suite struct TutorialTests {
  private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../docs/tutorial.md").standardizedFileURL

  /// A command, or a file to write, and what is to come of it.
  private enum Step {
    case command(String, output: String)
    case file(String, text: String)
  }

  /// The steps of the page, in their order: blocks marked `console`, and Lua that is to be put into a file.
  private static func steps() throws -> [Step] {
    let text = try String(contentsOf: page, encoding: .utf8)
    let blocks = text.matches(of: #/(?:into `(\S+)`:\n\n)?```(console|lua)\n((?s).*?)```/#)
    return blocks.flatMap { block -> [Step] in
      if block.2 == "lua" {
        return block.1.map { [.file(String($0), text: String(block.3))] } ?? []
      }
      return block.3.split(separator: #/(?m)^\$ /#).map { part in
        let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        return .command(String(lines[at: 0]), output: lines.count > 1 ? String(lines[at: 1]) : "")
      }
    }
  }

  /// Without what is different each time.
  private static func masked(_ text: some StringProtocol) -> String {
    String(text).replacing(#/pid \d+/#, with: "pid PID")
      .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#, with: "TIME")
  }

  @Test func `each command prints what the page says`() throws {
    let steps = try Self.steps()
    let commands = steps.compactMap { step in
      if case .command(let line, _) = step { line } else { nil }
    }
    #expect(commands.count > 12 && steps.count > commands.count)
    let stage = try Stage()
    var script = "exec 2>&1\n"
    for step in steps {
      switch step {
      case .command(let line, _):
        script += "printf '\\36'\n"
        script += line.replacing("127.0.0.1:8080", with: "127.0.0.1:\(stage.bankd.port)") + "\n"
      case .file(let path, let text):
        script += "cat >\(path) <<'END OF FILE'\n\(text)END OF FILE\n"
      }
    }
    let tools = URL(fileURLWithPath: try BuiltProduct("waxwing").path).deletingLastPathComponent()
    let result = try Command(
      "/bin/bash", ["-c", script],
      environment: ["WAXWING_SOCKET_DIR": stage.folder, "PATH": "\(tools.path):/usr/bin:/bin"],
      directory: stage.folder
    ).run(timeout: .seconds(120))
    let outputs = result.standardOutput.split(
      separator: "\u{1e}", omittingEmptySubsequences: false
    ).dropFirst()
    try #require(outputs.count == commands.count, "\(result)")
    for (step, output) in zip(
      steps.filter { if case .command = $0 { true } else { false } }, outputs)
    {
      guard case .command(let line, let expected) = step else { continue }
      #expect(Self.masked(output) == Self.masked(expected), "\(line)")
    }
  }
}
