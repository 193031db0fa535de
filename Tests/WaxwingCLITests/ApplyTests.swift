// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Testing
import WaxwingControl
import WaxwingTestSupport

@Suite struct ApplyTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  @Test func `a patch is sent whole and its overrides are listed`() throws {
    let received = Received()
    let daemon = try FakeDaemon(tool) { request in
      received.add(request)
      return .to(
        ApplyRequest.self,
        ApplyReport(applied: [
          .init(patch: FakeDaemon.overdraft, replacedVersion: 2, warnings: ["w"])
        ]))
    }
    defer { daemon.server.stop() }
    let text = "patch { name = 'overdraft' }\n-- é\0".dropLast()
    try tool.folder.write(text.utf8, to: "overdraft.lua")
    #expect(
      try tool.run("apply", "overdraft.lua", "--wait", "2")
        == Tool.Result(
          exitCode: 0,
          output: """
            applied overdraft version 3 to bankd (pid 4711): 2 overrides, in place of version 2
              Bank.Account.withdraw(_:memo:)
              Bank.fee(_:)

            """, errors: "waxwing: warning: overdraft: w\n"))
    let file = PatchFilePayload(name: "overdraft.lua", bytes: Array(text.utf8))
    #expect(
      received.requests as? [ApplyRequest] == [
        ApplyRequest(patches: [.init(files: [file])], options: .init(waitSeconds: 2))
      ])
  }

  @Test func `a refusal shows details and remedy, and exits 3`() throws {
    let daemon = try FakeDaemon(tool) { _ in
      .failure(
        ControlFailure(
          .refused, message: "overdraft.lua:3: no method 'withdrow' in Bank.Account",
          details: ["withdraw(_:memo:)", "withdrawAll()"], remedy: "did you mean one of these?"))
    }
    defer { daemon.server.stop() }
    try tool.folder.write("return 1".utf8, to: "overdraft.lua")
    #expect(
      try tool.run("apply", "overdraft.lua")
        == Tool.Result(
          exitCode: 3,
          errors: """
            waxwing: error: overdraft.lua:3: no method 'withdrow' in Bank.Account
              withdraw(_:memo:)
              withdrawAll()
            waxwing: hint: did you mean one of these?

            """))
  }

  @Test func `conditions go with the request, and an older daemon is not trusted with them`()
    throws
  {
    try tool.folder.write("return 1".utf8, to: "a.lua")
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    let refused = try tool.run("apply", "a.lua", "--if-current", "0-1")
    #expect(refused.exitCode == 3 && refused.errors.contains("does not know --if-current"))
    let options = ApplyRequest.Options(ifCurrent: "0-1", acceptsAnyVersion: true)
    let json = try JSONEncoder().encode(options)
    #expect(try JSONDecoder().decode(ApplyRequest.Options.self, from: json) == options)
    let old = try JSONDecoder().decode(ApplyRequest.Options.self, from: Data("{}".utf8))
    #expect(old == ApplyRequest.Options())
  }

  @Test func `a dry run is a request of its own, and says what would be`() throws {
    let received = Received()
    let daemon = try FakeDaemon(tool) { request in
      received.add(request)
      return FakeDaemon.answer(request)
    }
    defer { daemon.server.stop() }
    try tool.folder.write("return 1".utf8, to: "overdraft.lua")
    #expect(
      try tool.run("apply", "overdraft.lua", "--dry-run", "--replace")
        == Tool.Result(
          exitCode: 0,
          output: """
            would apply overdraft version 3 to bankd (pid 4711): 2 overrides, in place of version 2
              Bank.Account.withdraw(_:memo:)  overdraft.lua:6 (overridden by limit too)
              Bank.fee(_:) (advice)
              Bank.Account.summary (added)
              what it overrides in Plugin, once that is loaded
            would end old
            nothing was changed

            """, errors: "waxwing: warning: overdraft: w\n"))
    let file = PatchFilePayload(name: "overdraft.lua", bytes: Array("return 1".utf8))
    #expect(
      received.requests as? [CheckRequest] == [
        CheckRequest(
          check: ApplyRequest(patches: [.init(files: [file])], options: .init(replacesAll: true)))
      ])
    let json = try tool.run("apply", "overdraft.lua", "--dry-run", "--json")
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(document["dryRun"] as? Bool == true)
    #expect(document["endedPatches"] as? [String] == ["old"])
    #expect((document["checked"] as? [[String: Any]])?.first?["name"] as? String == "overdraft")
  }

  @Test func `a daemon that does not know the dry run refuses it, and applies nothing`() throws {
    let daemon = try FakeDaemon(tool) { request in
      guard request is CheckRequest else { return FakeDaemon.answer(request) }
      return .failure(
        ControlFailure(.unsupported, message: "this daemon does not know the request 'check'"))
    }
    defer { daemon.server.stop() }
    try tool.folder.write("return 1".utf8, to: "a.lua")
    let result = try tool.run("apply", "a.lua", "--dry-run")
    #expect(result.exitCode == 1 && result.output.isEmpty)
    #expect(result.errors.contains("does not know the request 'check'"))
  }

  @Test func `several patches are one request, and what they replace is named`() throws {
    let received = Received()
    let laggard = Laggard(
      patch: "old", selector: "Bank.fee(_:)", threadID: 12, threadName: "worker", ageSeconds: 3,
      stack: ["old.lua:3: in function 'fee'"])
    let daemon = try FakeDaemon(tool) { request in
      received.add(request)
      return .to(
        ApplyRequest.self,
        ApplyReport(
          applied: [.init(patch: FakeDaemon.overdraft), .init(patch: FakeDaemon.rounding)],
          endedPatches: ["old"], laggards: [laggard]))
    }
    defer { daemon.server.stop() }
    try tool.folder.write("return 1".utf8, to: "a.lua")
    try tool.folder.write("return 2".utf8, to: "b.lua")
    let result = try tool.run("apply", "--replace", "a.lua", "b.lua")
    #expect(result.exitCode == 0)
    #expect(result.output.hasSuffix("  Bank.round(_:)\nended old\n"))
    #expect(
      result.errors == """
        waxwing: warning: still inside old: Bank.fee(_:), thread 12 (worker), for 3 s
          old.lua:3: in function 'fee'

        """)
    guard let request = received.requests.first as? ApplyRequest else {
      Issue.record("no request")
      return
    }
    #expect(received.requests.count == 1)
    #expect(request.patches.count == 2 && request.options.replacesAll)
  }

  @Test func `a bad patch is refused before any daemon is asked`() throws {
    let path = try tool.folder.write([0x1B], to: "a.lua")
    #expect(
      try tool.run("apply", path)
        == Tool.Result(
          exitCode: 3,
          errors: "waxwing: error: a.lua: compiled Lua is refused\nwaxwing: hint: give the source\n"
        ))
    try tool.folder.write("patch { nmae = 'x' }".utf8, to: "b.lua")
    #expect(
      try tool.run("apply", "b.lua").errors
        == "waxwing: error: b.lua:1: unknown key 'nmae' in the patch table\n"
        + "waxwing: hint: did you mean 'name'?\n")
  }

  @Test func `the manifest's program decides which daemon, and which not`() throws {
    let bankd = try FakeDaemon(tool)
    let shopd = try FakeDaemon(tool, program: "shopd")
    defer {
      bankd.server.stop()
      shopd.server.stop()
    }
    try tool.folder.write("patch { program = 'bankd' }".utf8, to: "a.lua")
    #expect(try tool.run("apply", "a.lua").output.contains("to bankd (pid 4711)"))
    #expect(
      try tool.run("apply", "a.lua", "--program", "shopd")
        == Tool.Result(
          exitCode: 3,
          errors: """
            waxwing: error: a is for 'bankd', and this daemon is 'shopd'
            waxwing: hint: name the right daemon, or change 'program' in the patch

            """))
    try tool.folder.write("patch { build = '00000000' }".utf8, to: "b.lua")
    #expect(try tool.run("apply", "b.lua", "--program", "bankd").exitCode == 3)
    try tool.folder.write("patch { program = 'shopd' }".utf8, to: "c.lua")
    #expect(try tool.run("apply", "a.lua", "c.lua").exitCode == 2)
    try tool.folder.write("patch { name = 'a' }".utf8, to: "d.lua")
    #expect(try tool.run("apply", "a.lua", "d.lua").exitCode == 2)
  }
}

/// The requests that a fake daemon got; written by its request thread.
final class Received: @unchecked Sendable {
  // Any thread, with `lock` held.
  private var stored: [any ControlRequest] = []
  private let lock = NSLock()

  var requests: [any ControlRequest] { lock.withLock { stored } }

  func add(_ request: any ControlRequest) { lock.withLock { stored.append(request) } }
}
