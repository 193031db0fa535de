// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Testing
import WaxwingControl

/// Names and messages that try to look like something else.
@Suite struct ForgeryTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  /// A line of its own, a sequence for terminals in both forms, and marks that turn and hide text.
  private static let hostile =
    "x\nwaxwing: error: forged\r\u{1b}[2J\u{9b}31m\u{7f}\u{202e}\u{200b}\u{2028}\u{e0041}"

  private static func answer(_ request: any ControlRequest) -> ControlResponse {
    let error = ErrorReport(
      message: hostile, file: hostile, line: 1, traceback: [hostile], method: hostile, count: 1,
      at: Timestamp(secondsSince1970: 0))
    var override = OverrideStatus(
      selector: hostile, type: hostile, calls: 1, errors: 1, fallbacks: 1, lastError: error)
    override.switchedOff = hostile
    (override.bypassed, override.bypassReasons) = (1, [hostile])
    var patch = PatchStatus(
      name: hostile, version: 1, file: hostile, state: .init(rawValue: hostile),
      appliedAt: Timestamp(secondsSince1970: 0), overrides: [override],
      origin: .init(kind: .signed, signer: hostile, key: hostile))
    patch.stuckCalls = [
      Laggard(
        patch: hostile, selector: hostile, threadID: 1, threadName: hostile, ageSeconds: 1,
        stack: [hostile])
    ]
    switch request {
    case is ListRequest: return .to(ListRequest.self, [patch])
    case is ExplainRequest:
      return .to(
        ExplainRequest.self,
        PointStatus(
          name: hostile,
          steps: [
            .init(
              patch: hostile, version: 1, kind: .init(rawValue: hostile), place: hostile, calls: 1,
              errors: 1,
              lastError: error)
          ], image: hostile, offset: 1, isAtBaseline: false))
    case is PointsRequest:
      return .to(
        PointsRequest.self,
        PointPage(
          program: hostile, buildID: nil,
          points: [
            FakeDaemon.point(hostile, hostile, hostile, refusal: hostile, opaque: hostile),
            FakeDaemon.point("add(_:)", hostile, "add", opaque: hostile),
          ], next: nil))
    case is StatusRequest:
      var status = DaemonStatus(
        daemon: FakeDaemon.info(), patches: [patch], unsupported: hostile, differences: [hostile])
      status.configurationTrouble = [hostile]
      status.audit = AuditState(path: hostile)
      return .to(StatusRequest.self, status)
    case is AuditRequest:
      let line =
        #"{"n":1,"time":"\n","event":"a\u001b[2J","verdict":"\u009b","by":"client","user":"a\nb","reason":"x\n1  forged"}"#
      return .to(AuditRequest.self, AuditExcerpt(state: AuditState(path: "/a"), lines: [line]))
    default: return .failure(ControlFailure(.refused, message: hostile, details: [hostile]))
    }
  }

  static let commands = [
    ["list"], ["list", "--json"], ["status"], ["status", "--json"], ["explain", "x"],
    ["explain", "x", "--json"], ["points", "--program", "bankd"],
    ["points", "--program", "bankd", "--json"], ["points", "--program", "bankd", "--selectors"],
    ["points", "--program", "bankd", "--patch"], ["audit"], ["audit", "--json"], ["revert", "x"],
    ["objects"], ["boot"], ["confirm"], ["versions"],
  ]

  @Test(arguments: commands)
  func `no output of the tool has what steers terminals, or lines that a name has begun`(
    arguments: [String]
  ) throws {
    let daemon = try FakeDaemon(tool, handler: Self.answer)
    defer { daemon.server.stop() }
    let result = try tool.run(list: arguments)
    for text in [result.output, result.errors] {
      let isClean = text.unicodeScalars.allSatisfy { scalar in
        scalar == "\n"
          || ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
            scalar.properties.generalCategory)
      }
      #expect(isClean, "\(result)")
      #expect(!text.split(separator: "\n").contains { $0.hasPrefix("waxwing: error: forged") })
    }
    if arguments.contains("--json") {
      let document = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
      if arguments[0] != "audit" { #expect("\(document)".contains("forged")) }
    }
    if arguments.contains("--patch") {
      #expect(result.output.split(separator: "\n").allSatisfy { !$0.hasPrefix("waxwing") })
    }
  }

  @Test func `a message's further lines have a mark in front`() throws {
    let daemon = try FakeDaemon(tool) { _ in
      .failure(ControlFailure(.refused, message: "which?\n  a\n  b", details: ["one\ntwo"]))
    }
    defer { daemon.server.stop() }
    #expect(
      try tool.run("revert", "x").errors == """
        waxwing: error: which?
          |   a
          |   b
          one
          | two

        """)
  }

  @Test func `a script's errors, tasks and log lines are shown in the same way`() throws {
    let script = #"""
      log.info("a\nwaxwing: error: forged\27[2J\u{202E}")
      task(function() error("b\nwaxwing: error: forged\27[2J") end)
      error("c\nwaxwing: error: forged\27[2J\u{9B}")
      """#
    let result = try tool.run("run", "-e", script)
    #expect(result.exitCode == 3)
    #expect(!result.errors.contains("\u{1b}") && !result.errors.contains("\u{9b}"))
    #expect(!result.errors.contains("\nwaxwing: error: forged"), "\(result)")
    #expect(result.errors.contains("\n  | waxwing: error: forged\\u{1b}[2J"), "\(result)")
  }
}
