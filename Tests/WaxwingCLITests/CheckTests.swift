// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Testing
import WaxwingControl
import WaxwingTestSupport

/// `waxwing check` without a program, and with a daemon; EndToEndTests has it with files.
@Suite struct CheckTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  private func check(_ text: String, _ arguments: String...) throws -> Tool.Result {
    try tool.folder.write(text.utf8, to: "a.lua")
    return try tool.run(list: ["check", "a.lua"] + arguments)
  }

  @Test func `a sound patch is said to be sound`() throws {
    #expect(
      try check("patch { name = 'a' }\nlog.info(tostring(Account))")
        == Tool.Result(exitCode: 0, output: "1 patch checked: no errors\n"))
  }

  @Test func `each mistake has its place, and all of them are found`() throws {
    try tool.folder.write("patch { nmae = 'b' }".utf8, to: "b.lua")
    try tool.folder.write("x = (1".utf8, to: "c.lua")
    try tool.folder.write("local t = {}\n  lgo.info(t, limit)\n-- lgo.info()".utf8, to: "d.lua")
    try tool.folder.write("local m = require 'm'\nreturn helper".utf8, to: "e/main.lua")
    try tool.folder.write("return 1".utf8, to: "f/main.lua")
    try tool.folder.write("\n-- \u{202e}".utf8, to: "f/turned.lua")
    try tool.folder.write("function helper() return [[nope]], 'nope', nope end".utf8, to: "e/m.lua")
    #expect(
      try tool.run("check", "b.lua", "c.lua", "d.lua", "e/", "f", "none.lua")
        == Tool.Result(
          exitCode: 3,
          output: """
            b.lua:1:1: error: unknown key 'nmae' in the patch table; did you mean 'name'?
            c.lua:1:7: error: ')' expected near <eof>
            d.lua:2:3: error: undefined variable `lgo`; did you mean `log`?
            d.lua:2:15: error: undefined variable `limit`
            e/m.lua:1:44: error: undefined variable `nope`
            f/turned.lua:2:1: error: U+202E changes the direction of text, so the code does not run as \
            it reads; remove it, or write '\\u{202E}' in a Lua string
            none.lua:1:1: error: cannot read it: No such file or directory; check the path
            6 patches checked: 7 errors

            """))
  }

  @Test func `all globals of the prelude are known`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = root.appendingPathComponent("WaxwingTests/Reachable.txt")
    let names = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .compactMap { $0.firstMatch(of: #/^_G\.(\w+):/#)?.1 }
    #expect(names.count > 50)
    let result = try check("return { \(names.joined(separator: ", ")) }")
    #expect(result == Tool.Result(exitCode: 0, output: "1 patch checked: no errors\n"))
  }

  @Test func `globals that something else may define are warned of`() throws {
    let result = try check("require('jspatch').globals()\nreturn defineClass")
    #expect(result.exitCode == 0)
    #expect(result.output.hasPrefix("a.lua:2:8: warning: undefined variable `defineClass`\n"))
    #expect(try check("rawset(_G, 'a', 1) return b", "--strict").exitCode == 3)
  }

  @Test func `what expired, and a capability that nobody has`() throws {
    let expired = try check("patch { expires = '2001-01-01T00:00:00Z' }")
    #expect(expired.exitCode == 3 && expired.output.contains("a.lua:1:1: error: the patch expired"))
    let capability = try check("patch { capabilities = { 'flying' } }")
    #expect(capability.output.contains("error: there is no capability `flying`; there are"))
  }

  @Test func `JSON has all of it`() throws {
    let result = try check("return nope", "--json")
    #expect(result.exitCode == 3 && result.errors.isEmpty)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(document["errors"] as? Int == 1 && document["program"] is NSNull)
    let finding = try #require((document["findings"] as? [[String: Any]])?.first)
    #expect(finding["path"] as? String == "a.lua" && finding["line"] as? Int == 1)
    #expect(finding["column"] as? Int == 8 && finding["severity"] as? String == "error")
    #expect(finding["rule"] as? String == "global")
    #expect(finding["message"] as? String == "undefined variable `nope`")
  }

  /// What SARIF 2.1.0 requires of a log: sections 3.13, 3.14, 3.18, 3.19, 3.27 to 3.30.
  @Test func `SARIF has the structure that it must have`() throws {
    let result = try check("\n return nope", "--sarif")
    #expect(result.exitCode == 3)
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    #expect((log["$schema"] as? String)?.hasSuffix("sarif-2.1.0.json") == true)
    let runs = try #require(log["runs"] as? [[String: Any]])
    #expect(runs.count == 1)
    let driver = try #require((runs[0]["tool"] as? [String: Any])?["driver"] as? [String: Any])
    #expect((driver["name"] as? String)?.isEmpty == false)
    let rules = try #require(driver["rules"] as? [[String: Any]])
    let ids = rules.compactMap { $0["id"] as? String }
    #expect(ids.count == rules.count && Set(ids).count == ids.count)
    #expect(rules.allSatisfy { ($0["shortDescription"] as? [String: Any])?["text"] is String })
    #expect(runs[0]["columnKind"] as? String == "unicodeCodePoints")
    let results = try #require(runs[0]["results"] as? [[String: Any]])
    #expect(results.count == 1)
    for result in results {
      #expect(["error", "warning", "note", "none"].contains(result["level"] as? String))
      let rule = try #require(result["ruleId"] as? String)
      #expect(ids[try #require(result["ruleIndex"] as? Int)] == rule)
      #expect(
        (result["message"] as? [String: Any])?["text"] as? String == "undefined variable `nope`")
      let location = try #require((result["locations"] as? [[String: Any]])?.first)
      let physical = try #require(location["physicalLocation"] as? [String: Any])
      #expect((physical["artifactLocation"] as? [String: Any])?["uri"] as? String == "a.lua")
      #expect(physical["region"] as? [String: Int] == ["startLine": 2, "startColumn": 9])
    }
    let sound = try check("return 1", "--sarif")
    #expect(sound.exitCode == 0 && sound.output.contains(#""results" : ["#))
  }

  @Test func `a daemon says whether it would take the patch, and is asked for nothing else`() throws
  {
    let received = Received()
    let daemon = try FakeDaemon(tool) { request in
      received.add(request)
      return FakeDaemon.answer(request)
    }
    defer { daemon.server.stop() }
    #expect(
      try check("return 1", "--program", "bankd")
        == Tool.Result(
          exitCode: 0,
          output: "a.lua:1:1: note: w\n1 patch checked against bankd (pid 4711): no errors\n"))
    #expect(
      received.requests.map { type(of: $0).verb }.filter { $0 != "points" } == ["check"])
  }

  @Test func `what of an override is opaque is told, and what runs off its actor`() throws {
    let daemon = try FakeDaemon(tool) { request in
      guard request is PointsRequest else { return FakeDaemon.answer(request) }
      func entry(_ symbol: String, _ member: String, _ opaque: String?, _ note: String?)
        -> PointEntry
      {
        PointEntry(
          symbol: symbol, selector: "Bank.Account.\(member)()", declaration: "func \(member)()",
          module: "Bank", owner: "Bank.Account", ownerTitle: "Bank.Account", isMember: true,
          kind: .function, isStatic: false, isAsync: note != nil, member: member, parameters: [],
          refusal: nil, opaque: opaque, note: note)
      }
      return .to(
        PointsRequest.self,
        PointPage(
          program: "bankd", buildID: nil,
          points: [
            entry("$s4Bank7AccountC5audityyF", "audit", "`self`; it is strange", nil),
            entry("$s4Bank7AccountC4waityyYaF", "wait", nil, "it runs elsewhere"),
          ], next: nil))
    }
    defer { daemon.server.stop() }
    let text = "local A = class 'Bank.Account'\nfunction A:audit() end\nfunction A:wait() end"
    let lines = try check(text, "--program", "bankd", "--static").output.split(separator: "\n")
    #expect(
      lines.prefix(2) == [
        "a.lua:2:12: note: `Bank.Account.audit()` has opaque values: `self`; it is strange",
        "a.lua:3:12: warning: `Bank.Account.wait()`: it runs elsewhere",
      ])
  }

  @Test func `what a daemon rejects has its place in the patch`() throws {
    let daemon = try FakeDaemon(tool) { request in
      guard request is CheckRequest else { return FakeDaemon.answer(request) }
      return .failure(
        ControlFailure(
          .refused, message: "a.lua:3: `x` cannot be overridden",
          details: ["a.lua:3: in main chunk"],
          remedy: "leave it out"))
    }
    defer { daemon.server.stop() }
    #expect(
      try check("\n\nreturn 1", "--program", "bankd")
        == Tool.Result(
          exitCode: 3,
          output: """
            a.lua:3:1: error: `x` cannot be overridden; leave it out
                a.lua:3: in main chunk
            1 patch checked against bankd (pid 4711): 1 error

            """))
  }

  @Test func `usage, and a daemon that is not there`() throws {
    #expect(try tool.run("check").exitCode == 2)
    #expect(try check("return 1", "--json", "--sarif").exitCode == 2)
    #expect(try check("return 1", "--program", "./a", "--socket", "s").exitCode == 2)
    #expect(try check("return 1", "--program", "bankd").exitCode == 7)
    let noProgram = try check("return 1", "--program", "./a.lua")
    #expect(noProgram.exitCode == 3 && noProgram.errors.contains("./a.lua: "))
    #expect(try tool.run("check", "--help").output.contains("FILE:LINE:COLUMN"))
  }
}
