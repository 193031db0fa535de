// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// What docs/signing.md shows has to work, in its order, on one daemon.
@Suite struct SigningGuideTests {
  private struct Block {
    let isRefused: Bool
    let commands: String
  }

  @Test func `every command of the guide to signing does what it says`() throws {
    let stage = try Stage(isSigned: true)
    let tool = try BuiltProduct("waxwing").path
    let folder = tool.split(separator: "/").dropLast().joined(separator: "/")
    let environment = [
      "HOME": stage.folder, "PATH": "/\(folder):/usr/bin:/bin", "WAXWING_SOCKET_DIR": stage.folder,
      "WAXWING_CONFIG_DIR": stage.folder,
    ]
    let blocks = try Self.blocks()
    #expect(blocks.filter(\.isRefused).count == 3 && blocks.count > 12)
    for block in blocks {
      let commands = block.commands.replacing("/etc/waxwing", with: stage.folder)
        .replacing("sudo ", with: "")
      let result = try Command(
        "/bin/bash", ["-e", "-o", "pipefail", "-c", commands], environment: environment,
        directory: stage.folder
      ).run()
      #expect(result.status == .exited(block.isRefused ? 3 : 0), "\(commands)\n\(result)")
    }
    try expectContains(stage.waxwing(["list"]), "baseline")
  }

  private static func blocks() throws -> [Block] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../..").standardizedFileURL
    let guide = try String(
      contentsOf: root.appendingPathComponent("docs/signing.md"), encoding: .utf8)
    return guide.components(separatedBy: "\n```sh").dropFirst().compactMap { part in
      guard let start = part.firstIndex(of: "\n"), let end = part.range(of: "\n```") else {
        return nil
      }
      return Block(
        isRefused: part[..<start] == " refused",
        commands: String(part[part.index(after: start)..<end.lowerBound]))
    }
  }
}
