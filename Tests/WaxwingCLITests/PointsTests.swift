// SPDX-License-Identifier: MIT

import ByteTrials
import Testing
import WaxwingControl

/// Patch points of a running program; EndToEndTests has those of files.
@Suite struct DaemonPointsTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  @Test func `all pages are listed, with what cannot be overridden and why`() throws {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    #expect(
      try tool.run("points", "--program", "bankd")
        == Tool.Result(
          exitCode: 0,
          output: """
            local Account = class "Bank.Account"
              Account:withdraw(value)       func withdraw(_: Int, memo: String) -> Bool
            ! Account["add(_: Swift.Int)"]  func add(_: Int)
                cannot be overridden: it is\\u{1b}[2J odd
              Account.set:title(value)      var title: String { set }
                opaque: `value`; it is strange

            3 patch points: 2 can be overridden, 1 cannot
              1  it is\\u{1b}[2J odd

            """))
  }

  @Test func `a patch of them calls originals only`() throws {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    #expect(
      try tool.run("points", "--program", "bankd", "--patch").output == """
        -- Overrides that only call the original: keep what you need, and change it.
        patch { name = "bankd-pass-through", program = "bankd" }

        local Account = class "Bank.Account"

        function Account:withdraw(value)
          return original(self, value)
        end

        -- Bank.Account.add(_:) cannot be overridden: it is\\u{1b}[2J odd

        -- opaque: `value`; it is strange
        function Account.set:title(value)
          return original(self, value)
        end

        """)
    #expect(
      try tool.run("points", "account.title", "--program", "bankd", "--selectors").output
        == "Bank.Account.title.set\n")
  }

  @Test func `a patch that is too large for apply is printed with a warning`() throws {
    let note = "`value`; " + String(repeating: "long ", count: 60_000)
    let point = FakeDaemon.point("title.set", "var title: String", "title", .setter, opaque: note)
    let daemon = try FakeDaemon(tool) { request in
      guard request is PointsRequest else { return FakeDaemon.answer(request) }
      return .to(
        PointsRequest.self, PointPage(program: "bankd", buildID: nil, points: [point], next: nil))
    }
    defer { daemon.server.stop() }
    let result = try tool.run("points", "--program", "bankd", "--patch")
    #expect(result.exitCode == 0)
    #expect(result.output.utf8.count > 256 * 1024)
    #expect(
      result.errors == """
        waxwing: warning: the patch has 293 KiB, and `waxwing apply` takes files of 256 KiB: name a \
        PATTERN that fewer points contain

        """)
  }

  @Test func `an engine that does not know closures is not taken at its word`() throws {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    let old = try tool.run("points", "--program", "bankd", "--closures")
    #expect(old.exitCode == 3)
    #expect(old.output.isEmpty)
    #expect(old.errors.contains("does not know closures: its engine is of an older version"))
    #expect(try tool.run("points", "--program", "bankd").exitCode == 0)
  }

  @Test func `a file and a daemon are not asked at once`() throws {
    #expect(try tool.run("points", "a", "b", "--program", "bankd").exitCode == 2)
    #expect(try tool.run("points").exitCode == 2)
    #expect(try tool.run("points", "--program", "bankd", "--static").exitCode == 2)
    #expect(try tool.run("points", "x", "--patch", "--selectors").exitCode == 2)
  }
}
