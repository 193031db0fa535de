// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Testing
import WaxwingControl

@Suite struct ListTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  @Test func `list shows state, target, counts, and the last error of each override`() throws {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    let expected = Tool.Result(
      exitCode: 0,
      output: """
        PATCH      VERSION  STATE     OVERRIDE                        CALLS  ERRORS
        overdraft        3  active    Bank.Account.withdraw(_:memo:)   1200       0
                                      Bank.fee(_:)                        3       2
        rounding         0  draining  Bank.round(_:)                      0       0

        overdraft: 2 errors in Bank.fee(_:), last at 2023-11-14T22:15:00Z
          overdraft.lua:12: attempt to index a nil value (field 'limit')\\u{1b}[2J
            overdraft.lua:12: in upvalue 'cap'
            overdraft.lua:20: in function 'Bank.fee'

        """)
    #expect(try tool.run("list") == expected)
    #expect(try tool.run("list", "bankd") == expected)
    #expect(try tool.run("list", "--socket", daemon.server.path) == expected)
  }

  @Test func `list says so when nothing is patched`() throws {
    let daemon = try FakeDaemon(tool) { _ in .to(ListRequest.self, []) }
    defer { daemon.server.stop() }
    #expect(
      try tool.run("list")
        == Tool.Result(exitCode: 0, output: "bankd (pid 4711) is at baseline: no patches\n"))
  }

  @Test func `calls that went past an override are told, with the reason`() throws {
    var override = OverrideStatus(selector: "Bank.round(_:)")
    override.bypassed = 3
    override.bypassReasons = ["the thread's stack is too small for Lua code"]
    let patch = PatchStatus(
      name: "rounding", version: 0, file: "rounding.lua", state: .active,
      appliedAt: Timestamp(secondsSince1970: 0), overrides: [override])
    let daemon = try FakeDaemon(tool) { request in
      if request is ListRequest { return .to(ListRequest.self, [patch]) }
      return .to(StatusRequest.self, DaemonStatus(daemon: FakeDaemon.info(), patches: [patch]))
    }
    defer { daemon.server.stop() }
    let text =
      "rounding: 3 calls went past Bank.round(_:): the thread's stack is too small for Lua code\n"
    for verb in ["list", "status"] { #expect(try tool.run(verb).output.contains(text)) }
  }

  @Test func `list as JSON is the daemon and its patches`() throws {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    struct Document: Decodable {
      let daemon: DaemonInfo
      let patches: [PatchStatus]
    }
    let result = try tool.run("list", "--json")
    let document = try JSONDecoder().decode(Document.self, from: Data(result.output.utf8))
    #expect(document.daemon == FakeDaemon.info())
    #expect(document.patches.map(\.name) == ["overdraft", "rounding"])
    #expect(document.patches[1] == FakeDaemon.rounding)
  }

  @Test func `status is the daemon and the sum of its patches`() throws {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    #expect(
      try tool.run("status")
        == Tool.Result(
          exitCode: 10,
          output: """
            bankd (pid 4711), engine 0.1.0
            build: 3f2a9c00
            state: degraded, 2 patches, 3 overrides, 1203 calls, 2 errors
              overdraft version 3: active since 2023-11-14T22:13:20Z
              rounding version 0: draining since 2023-11-14T22:14:20Z

            """))
    let json = try tool.run("status", "--json").output
    #expect(
      try JSONDecoder().decode(DaemonStatus.self, from: Data(json.utf8)).daemon
        == FakeDaemon.info())
  }

  @Test func `patches whose time is over are shown as expired`() throws {
    var patch = PatchStatus(
      name: "old", version: 1, file: "old.lua", state: .active,
      appliedAt: FakeDaemon.rounding.appliedAt, overrides: [],
      expires: Timestamp(secondsSince1970: 1))
    patch.isExpired = true
    let patches = [patch]
    let daemon = try FakeDaemon(tool) { request in
      guard request is StatusRequest else { return .to(ListRequest.self, patches) }
      return .to(StatusRequest.self, DaemonStatus(daemon: FakeDaemon.info(), patches: patches))
    }
    defer { daemon.server.stop() }
    #expect(try tool.run("list").output.contains("old          1  active, expired  (none)"))
    #expect(try tool.run("status").output.contains("  old version 1: active, expired since "))
  }

  @Test func `list and status tell of calls that do not return, and of what is switched off`()
    throws
  {
    var off = OverrideStatus(selector: "close()", type: "Bank.Account")
    off.switchedOff = "a thread stayed in the patch's Lua code for 3 s"
    var patch = PatchStatus(
      name: "slow", version: 1, file: "slow.lua", state: .active,
      appliedAt: FakeDaemon.rounding.appliedAt, overrides: [off])
    patch.stuckCalls = [
      Laggard(
        patch: "slow", selector: "Bank.Account.audit()", threadID: 4712, threadName: "worker",
        ageSeconds: 31, stack: ["slow.lua:3: in function 'audit'"])
    ]
    let patches = [patch]
    let daemon = try FakeDaemon(tool) { request in
      guard request is StatusRequest else { return .to(ListRequest.self, patches) }
      return .to(StatusRequest.self, DaemonStatus(daemon: FakeDaemon.info(), patches: patches))
    }
    defer { daemon.server.stop() }
    let list = try tool.run("list").output
    #expect(
      list.hasSuffix(
        """

        slow: Bank.Account.close() switched off after a thread stayed in the patch's Lua code for 3 s: \
        all calls go to the original

        slow: 1 call has not returned for long
          slow: Bank.Account.audit(), thread 4712 (worker), for 31 s
            slow.lua:3: in function 'audit'

        """))
    let result = try tool.run("status")
    #expect(result.exitCode == 10)
    #expect(
      result.output.contains(
        "\n  stuck: slow: Bank.Account.audit(), thread 4712 (worker), for 31 s\n"))
  }
}
