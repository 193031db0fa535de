// SPDX-License-Identifier: MIT

import ByteTrials
import Expectations
import Foundation
import Synchronization
import Testing
import WaxwingControl
import WaxwingTestSupport

/// `waxwing mcp`, as the program of an assistant talks to it.
@Suite struct McpTests {
  private struct Answer: Decodable {
    struct Failure: Decodable {
      let code: Int
      let message: String
    }
    struct Content: Decodable {
      let type, text: String
    }
    struct Described: Decodable {
      struct Schema: Decodable {
        let type: String
        let properties: [String: [String: String]]
        let required: [String]
      }
      struct Hints: Decodable {
        let readOnlyHint: Bool
      }
      let name, description: String
      let inputSchema: Schema
      let annotations: Hints
    }
    struct Result: Decodable {
      let protocolVersion, instructions: String?
      let serverInfo: [String: String]?
      let tools: [Described]?
      let content: [Content]?
      let isError: Bool?
    }
    let jsonrpc: String
    let id: Int?
    let error: Failure?
    let result: Result?
  }

  let tool: Tool

  init() throws { tool = try Tool() }

  /// Sends lines, and reads those that come back.
  private func talk(_ lines: [String], _ arguments: String...) throws -> [Answer] {
    try tool.folder.write(lines.map { $0 + "\n" }.joined().utf8, to: "requests")
    let result = try tool.run(
      list: ["mcp"] + arguments, through: ["/bin/sh", "-c", "exec \"$0\" \"$@\" <requests"])
    #expect(result.exitCode == 0 && result.errors.isEmpty, "\(result)")
    return try result.output.split(separator: "\n").map {
      try JSONDecoder().decode(Answer.self, from: Data($0.utf8))
    }
  }

  private static func request(_ id: Int, _ method: String, _ parameters: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#
  }

  private static func call(_ id: Int, _ name: String, _ arguments: String = "{}") -> String {
    request(id, "tools/call", #"{"name":"\#(name)","arguments":\#(arguments)}"#)
  }

  @Test func `it says who it is, in the version that is asked for if it knows that`() throws {
    let answers = try talk([
      Self.request(1, "initialize", #"{"protocolVersion":"2025-03-26","capabilities":{}}"#),
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      Self.request(2, "ping"),
      Self.request(3, "initialize", #"{"protocolVersion":"2999-01-01"}"#),
    ])
    try #require(answers.count == 3)
    #expect(answers.map(\.id) == [1, 2, 3] && answers.allSatisfy { $0.jsonrpc == "2.0" })
    #expect(answers[0].result?.protocolVersion == "2025-03-26")
    #expect(answers[0].result?.serverInfo == ["name": "waxwing", "version": "0.1.0"])
    #expect(answers[0].result?.instructions?.contains("You cannot apply it") == true)
    #expect(answers[2].result?.protocolVersion == "2025-11-25")
  }

  @Test func `tools look only, unless more is allowed`() throws {
    let plain = try #require(try talk([Self.request(1, "tools/list")])[0].result?.tools)
    #expect(
      plain.map(\.name) == [
        "daemons", "status", "list", "points", "explain", "versions", "objects", "log", "metrics",
        "doctor", "check", "trace", "record",
      ])
    // These install overrides.
    #expect(plain.filter { !$0.annotations.readOnlyHint }.map(\.name) == ["trace", "record"])
    #expect(plain.allSatisfy { $0.inputSchema.type == "object" })
    let trace = try #require(plain.first { $0.name == "trace" }?.inputSchema)
    #expect(trace.required == ["pattern"] && trace.properties["where"] == nil)
    #expect(trace.properties["count"]?["type"] == "number" && trace.properties["program"] != nil)

    let more = try #require(
      try talk(
        [Self.request(1, "tools/list")], "--program", "bankd", "--allow", "apply", "--allow",
        "restore", "--allow", "shadow", "--allow", "expressions")[0].result?.tools)
    #expect(more.suffix(4).map(\.name) == ["shadow", "dry_run", "apply", "restore"])
    #expect(
      more.filter { !$0.annotations.readOnlyHint }.map(\.name)
        == ["check", "trace", "record", "shadow", "dry_run", "apply", "restore"])
    let traced = try #require(more.first { $0.name == "trace" }?.inputSchema.properties)
    #expect(traced["where"] != nil && traced["program"] == nil)
  }

  @Test func `a tool is a command, and its answer what that prints`() throws {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    let answers = try talk(
      [
        Self.call(1, "list"), Self.call(2, "points", #"{"pattern":"withdraw"}"#),
        Self.call(3, "explain", #"{"selector":"--nothing"}"#),
        Self.call(4, "trace", #"{"pattern":"Bank","seconds":0.2,"count":3}"#),
        Self.call(5, "check", #"{"text":"local x = ("}"#),
        Self.call(6, "record", #"{"pattern":"Bank","seconds":0.2,"count":1}"#),
        // The daemon of this test does not know closures.
        Self.call(7, "points", #"{"pattern":"boot","closures":true}"#),
      ], "--program", "bankd")
    try #require(answers.count == 7)
    let texts = answers.map { $0.result?.content?.first?.text ?? "" }
    #expect(
      answers.map { $0.result?.isError } == [false, false, false, false, true, false, true],
      "\(texts)")
    #expect(try texts[at: 0] == tool.run("list", "--json").output)
    #expect(
      texts[at: 1].contains(#""selector" : "Bank.Account.withdraw(_:memo:)""#), "\(texts[at: 1])")
    #expect(texts[at: 2].contains("Bank.Account.withdraw(_:memo:)"), "\(texts[at: 2])")
    #expect(texts[at: 4].contains("syntax"), "\(texts[at: 4])")
    #expect(texts[at: 5].contains(#""number":7"#), "\(texts[at: 5])")
    #expect(texts[at: 6].contains("does not know closures"), "\(texts[at: 6])")
  }

  @Test func `a patch is run for a check only where it may be applied`() throws {
    let loaded = Atomic(0)
    let daemon = try FakeDaemon(tool) { request in
      if request is CheckRequest { loaded.add(1, ordering: .relaxed) }
      return FakeDaemon.answer(request)
    }
    defer { daemon.server.stop() }
    let check = Self.call(1, "check", #"{"text":"local A = class \"Bank.Nothing\"\n"}"#)
    let plain = try talk([check], "--program", "bankd")
    #expect(plain[0].result?.content?.first?.text.contains("bankd (pid 4711)") == true, "\(plain)")
    let fine = Self.call(2, "check", #"{"text":"local x = 1\nprint(x)\n"}"#)
    #expect(try talk([fine], "--program", "bankd")[0].result?.isError == false)
    #expect(loaded.load(ordering: .relaxed) == 0)
    _ = try talk([fine], "--program", "bankd", "--allow", "apply")
    #expect(loaded.load(ordering: .relaxed) == 1)
  }

  @Test func `an assistant that is shown one daemon sees no other`() throws {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    let calls = [Self.call(1, "daemons"), Self.call(2, "doctor")]
    let own = try talk(calls, "--program", "bankd").map { $0.result?.content?.first?.text ?? "" }
    #expect(own.allSatisfy { $0.contains("bankd.sock") }, "\(own)")
    let others = try talk(calls, "--program", "shopd").map {
      $0.result?.content?.first?.text ?? ""
    }
    #expect(others.allSatisfy { !$0.contains("bankd") }, "\(others)")
    let socket = try talk(calls, "--socket", "/nowhere/shopd.sock").map {
      $0.result?.content?.first?.text ?? ""
    }
    #expect(socket.allSatisfy { !$0.contains("bankd") }, "\(socket)")
  }

  @Test func `an empty text, or one with a zero byte, is an error and not something else`() throws {
    let answers = try talk(
      [
        Self.call(1, "apply", #"{"path":"fix.lua","trial":""}"#),
        Self.call(2, "points", #"{"pattern":"a\u0000b"}"#),
        Self.call(3, "check", #"{"text":"local x\u0000"}"#),
        Self.call(4, "log", #"{"patch":""}"#),
      ], "--program", "bankd", "--allow", "apply")
    #expect(answers.allSatisfy { $0.result?.isError == true })
    #expect(
      answers.map { $0.result?.content?.first?.text } == [
        "apply: 'trial' is empty: leave it out, or give a value",
        "points: 'pattern' has a zero byte", "check: 'text' has a zero byte",
        "log: 'patch' is empty: leave it out, or give a value",
      ])
  }

  @Test func `what the command says of a mistake reaches the assistant`() throws {
    let answers = try talk([
      Self.call(1, "status"), Self.call(2, "points"), Self.call(3, "points", #"{"pattern":7}"#),
      Self.call(4, "points", #"{"pattern":"x","limit":7}"#),
      Self.call(5, "trace", #"{"pattern":"x","seconds":true}"#),
      Self.call(6, "trace", #"{"pattern":"x","tree":1}"#),
      // Without a daemon `waxwing points` takes a file, and may run it.
      Self.call(7, "points", #"{"pattern":"/bin/true"}"#),
    ])
    let texts = answers.map { $0.result?.content?.first?.text ?? "" }
    #expect(answers.allSatisfy { $0.result?.isError == true }, "\(texts)")
    #expect(texts[at: 0].contains("no daemon"), "\(texts[at: 0])")
    #expect(
      texts.dropFirst() == [
        "points: 'pattern' is missing", "points: 'pattern' is a string",
        "points: there is no parameter 'limit'", "trace: 'seconds' is a number",
        "trace: 'tree' is a boolean", "points: 'program' is missing",
      ])
  }

  @Test func `what is no request is answered as JSON-RPC wants it`() throws {
    let answers = try talk([
      "{", "", "[]", #"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
      Self.request(2, "resources/list"), Self.call(3, "pointz"), Self.request(4, "tools/call"),
      Self.call(5, "apply", #"{"path":"fix.lua"}"#), Self.call(6, "check", "7"),
      #"{"jsonrpc":"2.0","id":9,"result":{}}"#,
    ])
    #expect(
      answers.map(\.error?.code) == [-32700, -32600, -32600, -32601]
        + Array(repeating: -32602, count: 4))
    #expect(answers.map(\.id) == [nil, nil, nil, 2, 3, 4, 5, 6])
    #expect(answers[4].error?.message == "there is no tool 'pointz'; did you mean 'points'?")
    #expect(answers[6].error?.message.hasPrefix("there is no tool 'apply'") == true)
  }

  @Test func `an action that is unknown is an error`() throws {
    let result = try tool.run("mcp", "--allow", "everything")
    #expect(result.exitCode == 2)
    #expect(
      result.errors.contains(
        "'--allow' takes apply, revert, restore, shadow or expressions, not 'everything'"))
  }
}
