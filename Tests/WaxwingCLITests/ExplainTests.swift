// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Testing
import WaxwingControl

@Suite struct ExplainTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  @Test func `explain shows the pieces in the order of a call, then the original`() throws {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    #expect(
      try tool.run("explain", "Account.withdraw")
        == Tool.Result(
          exitCode: 0,
          output: """
            Bank.Account.withdraw(_:memo:) in bankd (pid 4711): a call comes to, in this order
               PATCH          VERSION  KIND         AT                CALLS  ERRORS
            1  overdraft            3  override     overdraft.lua:12   1200       2
               (the program)           original
            2  audit                1  after, once  audit.lua:7           1       0
            the original is the program's own code: /usr/bin/bankd at 0x1a2b
            1 failed last at 2023-11-14T22:15:00Z: overdraft.lua:12: attempt to index a nil value \
            (field 'limit')\\u{1b}[2J
                overdraft.lua:12: in upvalue 'cap'
                overdraft.lua:20: in function 'Bank.fee'

            """))
    let json = try tool.run("explain", "Account.withdraw", "bankd", "--json").output
    #expect(
      try JSONDecoder().decode(PointStatus.self, from: Data(json.utf8)) == FakeDaemon.withdraw)
  }

  @Test func `versions are a table, or one line where nothing is changed`() throws {
    let daemon = try FakeDaemon(tool)
    #expect(
      try tool.run("versions").output == """
        TYPE          VERSION  PATCHES
        Bank.Account        1  overdraft

        """)
    daemon.server.stop()
    let idle = try FakeDaemon(tool) { _ in .to(VersionsRequest.self, []) }
    defer { idle.server.stop() }
    #expect(try tool.run("versions").output == "bankd (pid 4711): all types are at version 0\n")
  }

  @Test(arguments: [
    (DaemonStatus(daemon: FakeDaemon.info(), patches: []), Int32(0)),
    (
      DaemonStatus(daemon: FakeDaemon.info(), patches: [], differences: ["the entry of B.f() …"]),
      Int32(10)
    ),
    (
      DaemonStatus(
        daemon: FakeDaemon.info(),
        patches: [
          PatchStatus(
            name: "a", version: 0, file: "a.lua", state: .active,
            appliedAt: Timestamp(secondsSince1970: 0), overrides: [])
        ]), Int32(9)
    ),
  ])
  func `the exit code of status tells baseline, patched and degraded apart`(
    status: DaemonStatus, exitCode: Int32
  ) throws {
    let daemon = try FakeDaemon(tool) { _ in .to(StatusRequest.self, status) }
    defer { daemon.server.stop() }
    #expect(try tool.run("status").exitCode == exitCode)
  }
}
