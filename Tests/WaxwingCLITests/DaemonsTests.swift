// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingControl
import WaxwingTestSupport

/// `waxwing daemons`, and how daemons are named.
@Suite struct DaemonsTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  @Test func `daemons shows names, processes, users and sockets`() throws {
    #expect(
      try tool.run("daemons")
        == Tool.Result(exitCode: 0, output: "nothing listens in \(tool.folder.path)/s\n"))
    let daemons = try ["shopd", "bankd", "bankd@blue"].map { try FakeDaemon(tool, program: $0) }
    defer { for daemon in daemons { daemon.server.stop() } }
    let lines = try tool.run("daemons").output.split(separator: "\n").map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(lines.map { $0[0] } == ["NAME", "bankd", "bankd@blue", "shopd"])
    #expect(lines.dropFirst().allSatisfy { $0[1] == "\(getpid())" })
    #expect(lines[at: 2][3] == "\(tool.folder.path)/s/bankd@blue.sock")
    let json = try tool.run("daemons", "--json").output
    let document = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let entries = try #require(document?["daemons"] as? [[String: Any]])
    #expect(entries.map { $0["instance"] as? String } == [nil, "blue", nil])
    #expect(entries.map { $0["program"] as? String } == ["bankd", "bankd", "shopd"])
    #expect(entries.allSatisfy { $0["uid"] as? UInt32 == geteuid() })
  }

  @Test func `an instance is named whole, and where that is not enough by its socket`() throws {
    let daemons = try ["bankd", "bankd@blue"].map { try FakeDaemon(tool, program: $0) }
    defer { for daemon in daemons { daemon.server.stop() } }
    #expect(try tool.run("restore", "bankd@blue").exitCode == 0)
    #expect(
      try tool.run("list", "bankd@blu")
        == Tool.Result(
          exitCode: 7,
          errors: """
            waxwing: error: no daemon: nothing listens at \(tool.folder.path)/s/bankd@blu.sock; running are
              bankd (pid \(getpid()))
              bankd@blue (pid \(getpid()))
            waxwing: hint: did you mean 'bankd@blue' or 'bankd'?

            """))
    // They are one process here, so that its id does not tell them apart.
    #expect(
      try tool.run("restore", "bankd")
        == Tool.Result(
          exitCode: 2,
          errors: """
            waxwing: error: 2 instances of bankd are running
              bankd (pid \(getpid()))
              bankd@blue (pid \(getpid()))
            waxwing: hint: choose one: waxwing restore … --program bankd@blue

            """))
  }
}
