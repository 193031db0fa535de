// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Testing
import WaxwingControl

@Suite struct RestoreTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  private func restore(_ report: RestoreReport, _ words: String...) throws -> Tool.Result {
    let daemon = try FakeDaemon(tool) { _ in .to(RestoreRequest.self, report) }
    defer { daemon.server.stop() }
    return try tool.run(list: ["restore"] + words)
  }

  @Test func `restore says what was verified`() throws {
    let report = RestoreReport.restored(
      program: "bankd", endedPatches: ["overdraft"], entriesVerified: 12)
    #expect(
      try restore(report)
        == Tool.Result(
          exitCode: 0,
          output: """
            restored baseline: 1 patch ended, 12 entries verified, 0 differences
            ended overdraft

            """))
  }

  @Test func `restore of a clean process has nothing to do and exits 0`() throws {
    let report = RestoreReport.restored(program: "bankd", endedPatches: [], entriesVerified: 0)
    #expect(
      try restore(report)
        == Tool.Result(exitCode: 0, output: "nothing to do: bankd is at baseline\n"))
  }

  @Test func `restore lists the calls that are stuck and exits 5`() throws {
    let laggard = Laggard(
      patch: "overdraft", selector: "Bank.fee(_:)", threadID: 4713, ageSeconds: 12.25)
    let report = RestoreReport.restored(
      program: "bankd", endedPatches: ["overdraft"], entriesVerified: 2, laggards: [laggard])
    #expect(
      try restore(report, "--wait", "0.5")
        == Tool.Result(
          exitCode: 5,
          output: """
            restored in part: 1 patch ended, 2 entries verified, 0 differences
            ended overdraft

            """,
          errors: """
            waxwing: error: 1 call is still inside a patch that has ended, after 0.5 s
              overdraft: Bank.fee(_:), thread 4713, for 12.3 s
            waxwing: hint: new calls run the program's own code; what the patch holds is freed \
            when these calls end

            """))
  }

  @Test func `restore lists entries that differ and exits 6`() throws {
    let report = RestoreReport.restored(
      program: "bankd", endedPatches: ["a", "b"], entriesVerified: 2,
      differences: ["Bank.fee(_:) holds 0x10, not 0x20"])
    #expect(
      try restore(report)
        == Tool.Result(
          exitCode: 6,
          output: """
            restored in part: 2 patches ended, 2 entries verified, 1 difference
            ended a
            ended b

            """,
          errors: """
            waxwing: error: 1 entry differs from the baseline
              Bank.fee(_:) holds 0x10, not 0x20
            waxwing: hint: something else wrote to them; restart the program to be sure of its code

            """))
  }

  @Test func `restore as JSON is the report`() throws {
    let report = RestoreReport.restored(program: "bankd", endedPatches: ["a"], entriesVerified: 1)
    let output = try restore(report, "--json").output
    #expect(try JSONDecoder().decode(RestoreReport.self, from: Data(output.utf8)) == report)
  }

  @Test func `revert ends the named patch, and names that are none are refused`() throws {
    let daemon = try FakeDaemon(tool) { request in
      guard (request as? RevertRequest)?.name == "overdraft" else {
        return .failure(
          ControlFailure(.notFound, message: "no patch 'x'", remedy: "did you mean 'overdraft'?"))
      }
      return FakeDaemon.answer(request)
    }
    defer { daemon.server.stop() }
    #expect(
      try tool.run("revert", "overdraft")
        == Tool.Result(
          exitCode: 0, output: "reverted overdraft: 3 entries verified, 0 differences\n"))
    #expect(
      try tool.run("revert", "x", "bankd")
        == Tool.Result(
          exitCode: 3,
          errors: "waxwing: error: no patch 'x'\nwaxwing: hint: did you mean 'overdraft'?\n"))
  }
}
