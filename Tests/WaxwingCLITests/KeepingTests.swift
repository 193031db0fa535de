// SPDX-License-Identifier: MIT

import ByteTrials
import Synchronization
import Testing
import WaxwingControl
import WaxwingTestSupport

/// What the tool sends and says about patches that are kept, or on trial.
@Suite struct KeepingTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  private func run(
    _ words: [String], _ handler: @escaping RequestHandler
  ) throws -> Tool.Result {
    let daemon = try FakeDaemon(tool, handler: handler)
    defer { daemon.server.stop() }
    return try tool.run(list: words)
  }

  @Test(arguments: [
    ("--trial 90s", false, 90.0), ("--trial 10m --keep", true, 600), ("--keep", true, nil),
    ("--trial 2h", false, 7200), ("--trial 1h30m5s", false, 5405.0),
  ])
  func `apply says for how long`(options: String, keeps: Bool, seconds: Double?) throws {
    try tool.folder.write(Array("return 1".utf8), to: "a.lua")
    let sent = Mutex<ApplyRequest.Options?>(nil)
    let words = ["apply", "a.lua"] + options.split(separator: " ").map(String.init)
    let result = try run(words) { request in
      if let request = request as? ApplyRequest { sent.withLock { $0 = request.options } }
      return FakeDaemon.answer(request)
    }
    #expect(result.exitCode == 0)
    #expect(sent.withLock { $0?.keeps } == keeps)
    #expect(sent.withLock { $0?.trialSeconds } == seconds)
  }

  @Test(arguments: [
    "0", "0s", "-1m", "8d", "200h", "m", "ten", "1.5h", "30m1h", "1h30", "1m1m", "h1m",
  ])
  func `a time that is none is refused before anything is sent`(time: String) throws {
    try tool.folder.write(Array("return 1".utf8), to: "a.lua")
    let result = try run(["apply", "a.lua", "--trial=\(time)"]) { FakeDaemon.answer($0) }
    #expect(
      result.exitCode == 2 && result.errors.contains("needs a time such as 90s, 10m or 1h30m"))
  }

  @Test func `boot shows what is kept and what is quarantined`() throws {
    let result = try run(["boot"]) { FakeDaemon.answer($0) }
    #expect(
      result
        == Tool.Result(
          exitCode: 0,
          output: """
            store: /var/lib/waxwing/bankd, generation 7
              kept: overdraft (a1a1a1a1a1a1)
              quarantined: rounding (b2b2b2b2b2b2) since 2023-11-14T22:13:20Z: the program died in \
            it 2 times within 10 minutes

            """))
    let retry = try run(["boot", "retry"]) { FakeDaemon.answer($0) }
    #expect(retry.output.hasPrefix("rounding is started at the next start\n"))
    #expect(try run(["boot", "rety"]) { FakeDaemon.answer($0) }.exitCode == 2)
  }

  @Test func `list shows what is kept and how long a trial has left`() throws {
    var kept = FakeDaemon.overdraft
    kept.isKept = true
    var trial = FakeDaemon.rounding
    trial.trialSecondsLeft = 570
    let patches = [kept, trial]
    let result = try run(["list"]) { _ in .to(ListRequest.self, patches) }
    #expect(result.output.contains("  active, kept  "))
    #expect(result.output.contains("  draining, trial 9m 30s  "))
  }

  @Test func `restore that cannot write the store exits 6`() throws {
    var report = RestoreReport.restored(
      program: "bankd", endedPatches: ["overdraft"], entriesVerified: 1)
    report.storeFailure = "the store cannot create /x: No space left on device"
    let answer = report
    let result = try run(["restore"]) { _ in .to(RestoreRequest.self, answer) }
    #expect(result.exitCode == 6)
    #expect(
      result.output.hasPrefix("restored baseline: 1 patch ended, 1 entry verified, 0 differences\n")
    )
    #expect(
      result.errors.hasPrefix(
        "waxwing: error: restored in memory; store not updated: the store cannot create /x"))
  }

  @Test func `store needs a program, and says when nothing is kept`() throws {
    #expect(try tool.run("store").exitCode == 2)
    let folder = tool.folder.path + "/none"
    #expect(
      try tool.run("store", "--program", "bankd", "--folder", folder)
        == Tool.Result(exitCode: 0, output: "nothing is kept: \(folder)/bankd is not there\n"))
  }
}
