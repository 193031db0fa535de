// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// What docs/control.md shows has to work, in its order, on one daemon.
@Suite struct ControlGuideTests {
  @Test func `every command of the guide to control does what it says`() throws {
    let folder = try TemporaryFolder()
    let blocks = try Self.blocks().map {
      $0.replacing("/etc/waxwing", with: folder.path)
        .replacing("/var/log/waxwing", with: folder.path)
    }
    expectEqual(blocks.count, 5)
    let tool = try BuiltProduct("waxwing").path
    func run(_ block: String, _ sockets: String) throws {
      let result = try Command(
        "/bin/bash", ["-e", "-o", "pipefail", "-c", block],
        environment: [
          "PATH": URL(fileURLWithPath: tool).deletingLastPathComponent().path + ":/usr/bin:/bin",
          "WAXWING_SOCKET_DIR": sockets,
        ], directory: folder.path
      ).run()
      expectSuccess(result)
    }
    // The first block is what the daemon reads at its start.
    try run(try #require(blocks.first), folder.path)
    let stage = try Stage(
      environment: ["WAXWING_CONFIG_DIR": folder.path, "WAXWING_LOG_DIR": folder.path])
    for block in blocks.dropFirst() { try run(block, stage.folder) }
    let audit = try stage.waxwing(["audit", "-n", "2"])
    expectContains(audit, "  3  TIME  apply    done     ")
    expectContains(audit, "  4  TIME  restore  done     ")
    try expectContains(stage.waxwing(["list"]), "baseline")
    // Only root may give a folder to any group.
    #expect(geteuid() != 0 || !stage.log.contains("config.error"))
  }

  private static func blocks() throws -> [String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../..").standardizedFileURL
    let guide = try String(
      contentsOf: root.appendingPathComponent("docs/control.md"), encoding: .utf8)
    return guide.components(separatedBy: "\n```sh\n").dropFirst()
      .map { String($0.prefix(upTo: $0.range(of: "\n```")?.lowerBound ?? $0.endIndex)) }
  }
}
