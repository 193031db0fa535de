// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Testing
import WaxwingControl
import WaxwingTestSupport

/// What scripts read.
@Suite struct JSONTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func `with --json an error is a line of JSON on standard error`() throws {
    let daemon = try FakeDaemon(tool) { _ in
      .failure(ControlFailure(.conflict, message: "busy\n\u{1b}", details: ["a"], remedy: "wait"))
    }
    defer { daemon.server.stop() }
    let result = try tool.run("revert", "x", "--json")
    #expect(result.exitCode == 4 && result.output == "")
    #expect(
      result.errors
        == #"{"error":{"code":"conflict","details":["a"],"exitCode":4,"message":"busy\n\u001b","#
        + #""remedy":"wait"}}"# + "\n")
  }

  static let mistakes: [(words: [String], code: String, exitCode: Int32)] = [
    (["list", "--json"], "noDaemon", 7), (["status", "--json", "--jsn"], "usage", 2),
    (["list", "a", "b", "--json"], "usage", 2), (["points", "/none", "--json"], "refused", 3),
  ]

  @Test(arguments: mistakes.indices) func `so are wrong arguments and a missing daemon`(
    index: Int
  ) throws {
    let (words, code, exitCode) = Self.mistakes[index]
    let result = try tool.run(list: words)
    let error = try #require(try object(result.errors)["error"] as? [String: Any])
    #expect(result.exitCode == exitCode && result.output == "")
    #expect(error["code"] as? String == code && error["exitCode"] as? Int == Int(exitCode))
  }

  @Test func `warnings are lines of JSON, too`() throws {
    let daemon = try FakeDaemon(tool) { _ in
      .to(
        ApplyRequest.self,
        ApplyReport(applied: [.init(patch: FakeDaemon.rounding, warnings: ["careful"])]))
    }
    defer { daemon.server.stop() }
    try tool.folder.write("return 1".utf8, to: "a.lua")
    let result = try tool.run("apply", "a.lua", "--json")
    #expect(result.exitCode == 0, "\(result)")
    let warning = try #require(try object(result.errors)["warning"] as? [String: Any])
    #expect(warning["message"] as? String == "rounding: careful")
    _ = try object(result.output)
  }

  @Test func `status has its state in a word, and its own exit codes only if they are wanted`()
    throws
  {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    let result = try tool.run("status", "--json")
    #expect(result.exitCode == 10)
    #expect(try object(result.output)["state"] as? String == "degraded")
    let zero = try tool.run("status", "--exit-zero", "--json")
    #expect(zero.exitCode == 0 && zero.output == result.output)
    #expect(try tool.run("status", "other", "--exit-zero").exitCode == 7)
  }

  static let documents = [
    ["list"], ["status"], ["objects"], ["explain", "x"], ["versions"], ["boot"], ["audit"],
    ["points", "--program", "bankd"], ["confirm"], ["revert", "x"], ["restore"],
  ]

  @Test(arguments: documents) func `all keys of all documents are in one form`(
    words: [String]
  ) throws {
    let daemon = try FakeDaemon(tool) { request in
      guard request is AuditRequest else { return FakeDaemon.answer(request) }
      let line = #"{"n":1,"daemon_pid":7,"patches":[{"name":"a_b","sha256":"00"}],"prev":"0"}"#
      return .to(
        AuditRequest.self, AuditExcerpt(state: AuditState(path: "/a"), lines: [line, "nonsense"]))
    }
    defer { daemon.server.stop() }
    let result = try tool.run(list: words + ["--json"])
    let document = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    for key in Self.keys(of: document) {
      #expect(key.wholeMatch(of: #/[a-z][A-Za-z0-9]*/#) != nil, "\(key)")
    }
    if words == ["audit"] {
      #expect(result.output.contains(#""daemonPid" : 7"#) && result.output.contains("a_b"))
      #expect(result.output.contains(#""unreadable" : "nonsense""#), "\(result)")
    }
  }

  @Test(
    arguments: documents + [["times"], ["times", "on"], ["top", "--every", "0.1"], ["metrics"]])
  func `every document of a daemon is an object that has the daemon`(words: [String]) throws {
    let daemon = try FakeDaemon(tool) { request in
      switch request {
      case is AuditRequest:
        return .to(AuditRequest.self, AuditExcerpt(state: AuditState(path: "/a"), lines: []))
      case is MetricsRequest: return .to(MetricsRequest.self, "# HELP\na{b=\"c\"} 1\n")
      default: return FakeDaemon.answer(request)
      }
    }
    defer { daemon.server.stop() }
    let result = try tool.run(list: words + ["--json"])
    let daemonObject = try #require(try object(result.output)["daemon"] as? [String: Any])
    #expect(daemonObject["program"] as? String == "bankd" && daemonObject["pid"] as? Int != nil)
    #expect(daemonObject["version"] is String && daemonObject["protocolVersion"] is Int)
    if words == ["metrics"] {
      #expect(result.output.contains(#""name" : "a""#) && result.output.contains(#""b" : "c""#))
    }
  }

  @Test func `times are in RFC 3339, or numbers whose keys name the unit`() throws {
    let daemon = try FakeDaemon(tool) { request in
      guard request is ListRequest else { return FakeDaemon.answer(request) }
      return .to(ListRequest.self, [TimesTests.measured, FakeDaemon.rounding])
    }
    defer { daemon.server.stop() }
    let moment = #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/#
    for words in [
      ["list"], ["times"], ["top", "--every", "0.1"], ["boot"], ["status"], ["replay"],
    ] {
      let result = try tool.run(list: words + ["--json"])
      for (key, value) in Self.entries(of: try object(result.output)) {
        if key.wholeMatch(of: #/at|.*At|began|ended|time/#) != nil {
          #expect((value as? String)?.wholeMatch(of: moment) != nil, "\(words): \(key) = \(value)")
        }
        let isTime = key.contains(#/^(p50|p99|longest|sum|age|cost|duration|wait)|[sS]econds/#)
        if value is NSNumber, isTime {
          #expect(key.contains(#/([mM]illi|[nN]ano)?[sS]econds$/#), "\(words): \(key) = \(value)")
        }
      }
    }
  }

  /// All keys, each with its value, at any depth.
  private static func entries(of document: Any) -> [(String, Any)] {
    if let list = document as? [Any] { return list.flatMap(entries) }
    guard let object = document as? [String: Any] else { return [] }
    return object.flatMap { [($0, $1)] + entries(of: $1) }
  }

  /// But for those of counts by type, whose keys are the types' names.
  private static func keys(of document: Any) -> [String] {
    if let list = document as? [Any] { return list.flatMap(keys) }
    guard let object = document as? [String: Any] else { return [] }
    let counts: Set = ["classVersions", "objects", "values"]
    return object.flatMap { [$0] + (counts.contains($0) ? [] : keys(of: $1)) }
  }
}
