// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Synchronization
import Testing
import WaxwingControl
import WaxwingTestSupport

@Suite struct StandardInputTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  private final class Seen: Sendable {
    let request = Mutex<ApplyRequest?>(nil)
  }

  @Test func `apply reads a patch from standard input`() throws {
    let seen = Seen()
    let daemon = try FakeDaemon(tool) { request in
      if let apply = request as? ApplyRequest { seen.request.withLock { $0 = apply } }
      return FakeDaemon.answer(request)
    }
    // Neither a file of that name nor a signature beside it is meant.
    try tool.folder.write("wrong".utf8, to: "-")
    try tool.folder.write("wrong".utf8, to: "-.sig")
    let result = try run("printf 'local x = 1\\n' | waxwing apply - --wait 1m30s")
    #expect(result.isSuccess, "\(result)")
    let request = try #require(seen.request.withLock { $0 })
    let patch = try #require(request.patches.first)
    #expect(patch.files.map(\.name) == ["stdin.lua"])
    #expect(patch.files.map(\.bytes) == [Array("local x = 1\n".utf8)])
    #expect(patch.signature == nil)
    #expect(request.options.waitSeconds == 90)
    withExtendedLifetime(daemon) {}
  }

  @Test func `mistakes in what comes from standard input are named`() throws {
    let check = try run("echo 'x = = 1' | waxwing check -")
    #expect(check.status == .exited(3))
    #expect(check.standardOutput.hasPrefix("stdin.lua:1:3: error: "), "\(check)")
    let good = try run("echo 'local x = 1' | waxwing check -")
    #expect(good.standardOutput == "1 patch checked: no errors\n")
    #expect(good.isSuccess)
    let empty = try run("waxwing apply - </dev/null")
    #expect(empty.status == .exited(3))
    #expect(empty.standardError.contains("stdin.lua"), "\(empty)")
    let large = try run("head -c 20000000 /dev/zero | tr '\\0' ' ' | waxwing apply -")
    #expect(large.status == .exited(3))
    #expect(large.standardError.contains("stdin.lua"), "\(large)")
    for command in ["apply", "check"] {
      let twice = try run("waxwing \(command) - - </dev/null")
      #expect(twice.status == .exited(2))
      #expect(twice.standardError.contains("'-' is given twice"), "\(twice)")
    }
  }

  @Test func `a path that is not there is met with what is`() throws {
    try tool.folder.write("local x = 1\n".utf8, to: "fees/main.lua")
    try tool.folder.write("local x = 1\n".utf8, to: "overdraft.lua")
    for (word, near) in [("overdrat.lua", "overdraft.lua"), ("./fee", "fees")] {
      for command in ["apply", "sign", "verify", "run"] {
        let result = try run("waxwing \(command) \(word)")
        #expect(result.standardError.contains("did you mean '\(near)'?"), "\(result)")
      }
    }
  }

  private func run(_ line: String) throws -> CommandResult {
    let path = Tool.path.split(separator: "/").dropLast().joined(separator: "/")
    return try Command(
      "/bin/bash", ["-c", line],
      environment: [
        "WAXWING_SOCKET_DIR": tool.folder.path + "/s", "PATH": "/\(path):/usr/bin:/bin",
      ], directory: tool.folder.path
    ).run()
  }
}
