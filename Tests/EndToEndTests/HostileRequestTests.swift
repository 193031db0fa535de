// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// Each request of the corpus, with each of its texts, numbers and lists replaced by what no honest client sends.
@Suite struct HostileRequestTests {
  private static let texts = [
    String(repeating: "a.", count: 60_000), String(repeating: "a.", count: 2000),
    String(repeating: "bankd.", count: 600), String(repeating: "<", count: 4000),
    String(repeating: "Array<", count: 500) + String(repeating: ">", count: 500),
    "bankd.Account." + String(repeating: "(", count: 4000),
    "bankd.Account.withdraw(" + String(repeating: "_:", count: 1900) + ")",
    String(repeating: "*a", count: 2000), "\0", "", "$s" + String(repeating: "4", count: 4000),
    String(repeating: "\u{e9}", count: 2000),
    String(repeating: "bankd.Account.init where ", count: 160),
  ]
  private static let numbers = [
    "-9223372036854775808", "9223372036854775807", "18446744073709551615", "-1", "0", "1e308",
    "-1e308", "1e-308", "2147483648", "4294967296",
  ]
  private static let shortNumbers = ["-9223372036854775808", "-1", "0", "-1e308", "1e-308"]
  private static let count = 5000

  private static let patch = """
    patch { name = "fees" }
    local Fees = class "bankd.FeeSchedule"
    function Fees:fee(amount)
      return 7
    end
    """

  /// The requests of the fuzzers' corpus, by name.
  private static func corpus() throws -> [(name: String, json: String)] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fuzz/Corpora/requests")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try files.map { name in
      (name, try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
    }
  }

  /// A request with one value replaced, for each value but the verb and each replacement.
  private static func variants(of json: String, _ numbers: [String]) throws -> [String] {
    let marker = "\u{1}\u{1}"
    let whole = try JSONSerialization.jsonObject(with: Data(json.utf8))
    return try places(in: whole).flatMap { place, value -> [String] in
      guard place != ["verb"] else { return [] }
      let marked = try text(replacing(place[...], in: whole, with: marker))
      return try replacements(of: value, numbers).map {
        marked.replacing(try text(marker), with: $0)
      }
    }
  }

  private static func replacements(of value: Any, _ numbers: [String]) throws -> [String] {
    switch value {
    case is String: try texts.map { try text($0) }
    case let list as [Any]:
      [
        "[" + (try Array(repeating: text(list.first ?? 0), count: count)).joined(separator: ",")
          + "]"
      ]
    case let number as NSNumber where isBoolean(number): []
    default: numbers
    }
  }

  private static func isBoolean(_ number: NSNumber) -> Bool {
    ["c", "B"].contains(String(cString: number.objCType))
  }

  private static func text(_ value: Any) throws -> String {
    String(
      decoding: try JSONSerialization.data(
        withJSONObject: value, options: [.fragmentsAllowed, .withoutEscapingSlashes]),
      as: UTF8.self)
  }

  private static func places(in value: Any, _ place: [String] = []) -> [([String], Any)] {
    switch value {
    case let fields as [String: Any]:
      fields.sorted { $0.key < $1.key }.flatMap { places(in: $0.value, place + [$0.key]) }
    case let list as [Any]:
      [(place, value)] + list.enumerated().flatMap { places(in: $1, place + ["\($0)"]) }
    default: [(place, value)]
    }
  }

  private static func replacing(_ place: ArraySlice<String>, in value: Any, with new: Any) -> Any {
    guard let key = place.first else { return new }
    if var list = value as? [Any], let index = Int(key) {
      list[index] = replacing(place.dropFirst(), in: list[index], with: new)
      return list
    }
    var fields = value as? [String: Any] ?? [:]
    fields[key] = replacing(place.dropFirst(), in: fields[key] ?? 0, with: new)
    return fields
  }

  /// Sends a request, and waits for its answer.
  private func ask(_ socket: String, _ json: String) throws -> String {
    let client = try UnixClient(path: socket)
    let length = UInt32(json.utf8.count)
    try client.send((0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + json.utf8)
    var answer: [UInt8] = []
    var wanted = 4
    while answer.count < wanted {
      let bytes = try client.receive()
      if bytes.isEmpty { break }
      answer += bytes
      if answer.count >= 4 { wanted = 4 + answer[..<4].reduce(0) { $0 << 8 | Int($1) } }
    }
    return String(decoding: answer.dropFirst(4), as: UTF8.self)
  }

  private struct Use {
    /// Hundredths of a second of processor time.
    let ticks: Int
    /// The most memory so far, in KB.
    let memory: Int
    /// Milliseconds of processor time of the threads that read requests, answer `status`, and restore.
    let lanes: Int

    init(_ pid: Int32) throws {
      let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
      let fields = (text.split(separator: ")").last ?? "").split(separator: " ")
      ticks = (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
      let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
      memory = status.firstMatch(of: #/VmHWM:\s+(\d+)/#).flatMap { Int($0.1) } ?? 0
      lanes = try Self.milliseconds(
        of: ["waxwing-request", "waxwing-undo", "waxwing-control"], pid)
    }

    private static func milliseconds(of threads: Set<String>, _ pid: Int32) throws -> Int {
      let tasks = "/proc/\(pid)/task"
      return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
        // Threads end while they are looked at.
        let name = try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)
        guard let name, threads.contains(name.trimmingCharacters(in: .whitespacesAndNewlines)),
          let times = try? String(contentsOfFile: "\(tasks)/\(task)/schedstat", encoding: .utf8)
        else { return sum }
        return sum + (times.split(separator: " ").first.flatMap { Int($0) } ?? 0) / 1_000_000
      }
    }
  }

  /// What live patches and the recorder of calls are asked for is there.
  private func prepare(_ stage: Stage) throws {
    _ = try stage.waxwing(["apply", "fees.lua"])
    _ = try ask(stage.socket, #"{"verb":"shell","shell":{"open":{}}}"#)
    let record = #"{"pattern":"FeeSchedule.fee","capacity":10,"isWeak":false,"patience":100}"#
    _ = try ask(stage.socket, #"{"verb":"record","record":\#(record)}"#)
    _ = try stage.bankd.ask("GET", "/fees?amount=10000")
  }

  @Test func `no request ends the daemon, or takes more than it should`() throws {
    let stage = try Stage()
    try stage.write(Self.patch, to: "fees.lua")
    let pid = stage.bankd.process.pid
    for (name, json) in try Self.corpus() {
      try prepare(stage)
      // These wait for others than the daemon, as long as they are told to.
      let waits = json.contains(#""verb":"call""#) || json.contains(#""verb":"receive""#)
      for variant in try Self.variants(of: json, waits ? Self.shortNumbers : Self.numbers) {
        let before = try Use(pid)
        let answer = try ask(stage.socket, variant)
        let after = try Use(pid)
        let what = "\(name): \(variant.prefix(200)): \(answer.prefix(200))"
        #expect(!answer.isEmpty, "\(what)")
        #expect(after.ticks - before.ticks < 200, "\(after.ticks - before.ticks) ticks, \(what)")
        #expect(
          after.memory - before.memory < 64 << 10, "\(after.memory - before.memory) KB, \(what)")
        // A tenth of that in release.
        #expect(after.lanes - before.lanes < 500, "\(after.lanes - before.lanes) ms, \(what)")
      }
    }
    try expectContains(ask(stage.socket, #"{"verb":"status"}"#), #""result":"status""#)
    // The call that waits for the next connection may be inside a trace of all functions: it ends with a request.
    let restoring = try stage.tool(["restore"]).start()
    try waitUntil("the end of restore", seen: restoring.standardError) {
      try expectContains(stage.bankd.ask("GET", "/health"), "ok")
      return !restoring.isRunning
    }
    expectContains(restoring.standardOutput, "restored baseline")
    try expectContains(stage.bankd.ask("GET", "/health"), "ok")
  }

  @Test
  func `names of functions with many dots are refused when a patch says that it overrides them`()
    throws
  {
    let stage = try Stage()
    let before = try Use(stage.bankd.process.pid)
    let dots = String(repeating: "a.", count: 2000)
    let names = (0..<50).map { "\"\(dots)a\($0)\"" }.joined(separator: ",\n")
    try stage.write("patch { name = \"m\", overrides = {\n\(names)\n} }\n", to: "many.lua")
    try expectContains(stage.waxwing(["apply", "many.lua"]), "which the patch does not override")
    try stage.write("patch { name = \"m\", overrides = { \"\(dots)\(dots)a\" } }\n", to: "long.lua")
    try expectContains(
      stage.waxwing(["apply", "long.lua"]), "'overrides' has an entry of 8001 bytes")
    let after = try Use(stage.bankd.process.pid)
    #expect(after.ticks - before.ticks < 600)
    #expect(after.memory - before.memory < 64 << 10)
  }

  @Test func `status and restore are answered while a frame of megabytes is read`() throws {
    let stage = try Stage()
    let elements = (0..<118_000).map { "\"k\($0)\":[1]" }.joined(separator: ",")
    let json = "{\"verb\":\"status\",\"x\":{\(elements)},\(elements)}"
    #expect(json.utf8.count < 4 << 20 && json.utf8.count > 2 << 20)
    let clients = 4
    let group = DispatchGroup()
    let socket = stage.socket
    for _ in 0..<clients {
      group.enter()
      Thread.detachNewThread {
        _ = try? self.ask(socket, json)
        group.leave()
      }
    }
    try expectContains(ask(socket, #"{"verb":"status"}"#), #""result":"status""#)
    group.waitInTime()
    try expectContains(stage.waxwing(["restore"]), "is at baseline")
  }
}
