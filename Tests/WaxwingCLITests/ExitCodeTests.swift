// SPDX-License-Identifier: MIT

import ByteTrials
import Testing
import WaxwingControl
import WaxwingTestSupport

/// One exit code for one kind of failure, whichever command fails.
@Suite struct ExitCodeTests {
  /// What is named on the command line and is not there, cannot be used, or matches nothing.
  static let missing = [
    ["apply", "none.lua"], ["check", "none.lua"], ["verify", "none.lua"], ["shadow", "none.lua"],
    ["run", "none.lua"], ["sign", "none.lua"], ["sign", "a.lua", "--key", "none"],
    ["test", "a.lua"], ["watch", "none"], ["points", "./none"], ["stubs", "./none"],
    ["facts", "./none"], ["exec", "./none"], ["exec", "none-in-path"],
    ["check", "a.lua", "--program", "./none"], ["config", "check", "none.conf"],
    ["config", "check", "bad.conf"], ["audit", "--file", "none"], ["audit", "verify", "none"],
    ["audit", "verify", "a.lua"], ["store", "rebuild", "none", "--program", "bankd"],
    ["points", "--program", "bankd", "nothing-matches"],
    ["points", "--program", "bankd", "nothing-matches", "--json"],
  ]

  @Test(arguments: missing) func `what is not there, or has mistakes, is exit code 3`(
    words: [String]
  ) throws {
    let tool = try Tool()
    try tool.folder.write("patch = { name = 'a' }\n".utf8, to: "a.lua")
    try tool.folder.write("nonsense".utf8, to: "bad.conf")
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    let result = try tool.run(list: words)
    #expect(result.exitCode == 3, "\(result)")
  }

  @Test func `what exists already is in the way`() throws {
    let tool = try Tool()
    try tool.folder.write("".utf8, to: "fix/main.lua")
    #expect(try tool.run("init", "fix").exitCode == 4)
  }

  @Test func `a trace whose reader has read enough ends in silence`() throws {
    let tool = try Tool()
    let daemon = try FakeDaemon(tool) { request in
      switch request {
      case is TraceCallsRequest:
        var batch = TraceBatch()
        batch.calls = [TraceTests.call(1, level: 1, began: 0, cost: 1)]
        return .to(TraceCallsRequest.self, batch)
      default: return FakeDaemon.answer(request)
      }
    }
    defer { daemon.server.stop() }
    let result = try tool.run(
      "trace", "Account",
      through: ["/usr/bin/bash", "-c", #""$0" "$@" | head -1; exit "${PIPESTATUS[0]}""#])
    #expect(result.exitCode == 0 && result.output.split(separator: "\n").count == 1, "\(result)")
    #expect(!result.errors.contains("error"), "\(result)")
  }
}
