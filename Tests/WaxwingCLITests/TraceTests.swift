// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Synchronization
import Testing
import WaxwingControl
import WaxwingTestSupport

/// What `waxwing trace` makes of calls, which come in the order of their ends.
@Suite struct TraceTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  /// The first asked for gets all calls.
  private func trace(_ calls: [TracedCall], _ arguments: String...) throws -> Tool.Result {
    let rest = Mutex(calls)
    let points = ["Bank.move(_:)", "Bank.fee<A>(_:)", "Bank.Account.deposit(_:)"]
    let daemon = try FakeDaemon(tool) { request in
      switch request {
      case is TraceRequest:
        return .to(TraceRequest.self, TraceReport(name: "trace-1", points: points, refusals: []))
      case is TraceCallsRequest:
        var batch = TraceBatch()
        batch.calls = rest.withLock { calls in
          defer { calls = [] }
          return calls
        }
        return .to(TraceCallsRequest.self, batch)
      default: return FakeDaemon.answer(request)
      }
    }
    defer { daemon.server.stop() }
    return try tool.run(list: ["trace", "Bank", "--duration", "1s"] + arguments)
  }

  /// Times are in milliseconds.
  static func call(
    _ point: Int, level: Int, began: Double, cost: Double, thread: Int = 7, outcome: String = "1"
  ) -> TracedCall {
    TracedCall(
      point: point, level: level, thread: thread, began: 1_700_000_000 + began / 1000,
      cost: cost / 1000, succeeded: outcome != "no", receiver: "", arguments: "\(point)",
      outcome: outcome, shown: "")
  }

  /// A call that makes two, one of which makes one; beside it another thread's.
  private static let nested = [
    call(2, level: 3, began: 2, cost: 1),
    call(3, level: 2, began: 1, cost: 4, outcome: "no"),
    call(1, level: 1, began: 0, cost: 2, thread: 8),
    call(2, level: 2, began: 6, cost: 2),
    call(1, level: 1, began: 0, cost: 10),
  ]

  private func untimed(_ output: String) -> String {
    output.replacing(#/(?m)^\d\d:\d\d:\d\d\.\d{3}/#, with: "TIME")
  }

  @Test func `trees have the calls that a call makes, with their own times`() throws {
    let result = try trace(Self.nested, "--tree")
    #expect(result.exitCode == 0, "\(result)")
    #expect(
      untimed(result.output) == """
        TIME  #8
            2.000 ms  own     2.000 ms  Bank.move(_:)  (1)  = 1
        TIME  #7
           10.000 ms  own     4.000 ms  Bank.move(_:)  (1)  = 1
            4.000 ms  own     3.000 ms    Bank.Account.deposit(_:)  (3)  ! no
            1.000 ms  own     1.000 ms      Bank.fee<A>(_:)  (2)  = 1
            2.000 ms  own     2.000 ms    Bank.fee<A>(_:)  (2)  = 1

        """)
  }

  @Test func `calls whose callers are not shown stand by themselves`() throws {
    // The first one's caller is not among the calls; the second one begins the next tree.
    let calls = [
      Self.call(2, level: 3, began: 0, cost: 1), Self.call(2, level: 2, began: 5, cost: 1),
      Self.call(1, level: 1, began: 4, cost: 3), Self.call(3, level: 2, began: 9, cost: 1),
    ]
    let result = try trace(calls, "--tree")
    let lines = untimed(result.output).split(separator: "\n").map { $0.split(separator: " ") }
    #expect(
      lines.map { $0.count == 2 ? "" : $0[5].description } == [
        "", "Bank.fee<A>(_:)", "", "Bank.move(_:)", "Bank.fee<A>(_:)", "",
        "Bank.Account.deposit(_:)",
      ])
  }

  @Test func `so many trees are shown, and no more`() throws {
    let result = try trace(Self.nested, "--tree", "-n", "1")
    #expect(untimed(result.output).hasPrefix("TIME  #8\n"))
    #expect(result.output.split(separator: "\n").count == 2)
  }

  @Test func `trees are documents, too`() throws {
    struct Tree: Decodable {
      let function: String
      let milliseconds, ownMilliseconds: Double
      let error: String?
      let calls: [Tree]
    }
    let result = try trace(Self.nested, "--tree", "--json")
    let trees = try result.output.split(separator: "\n").map {
      try JSONDecoder().decode(Tree.self, from: Data($0.utf8))
    }
    #expect(trees.map(\.calls.count) == [0, 2])
    let moved = try #require(trees.last)
    #expect(abs(moved.ownMilliseconds - 4) < 1e-9 && abs(moved.milliseconds - 10) < 1e-9)
    #expect(moved.calls.map(\.function) == ["Bank.Account.deposit(_:)", "Bank.fee<A>(_:)"])
    #expect(moved.calls[0].error == "no" && moved.calls[0].calls.count == 1)
  }

  @Test func `a flame graph divides the time among callers and what they call`() throws {
    let result = try trace(Self.nested, "--output", "calls.svg")
    #expect(result.exitCode == 0, "\(result)")
    let picture = try Data(contentsOf: URL(fileURLWithPath: tool.folder.path + "/calls.svg"))
    let text = String(decoding: picture, as: UTF8.self)
    // Both calls of move together, 12 ms, over all of the width.
    let frames = text.matches(
      of: #/<g><title>(.*?)</title><rect x="([\d.]+)" y="(\d+)" width="([\d.]+)"/#)
    #expect(
      frames.map { "\($0.1) at \($0.2), \($0.3): \($0.4)" } == [
        "all: 2 calls, 12.000 ms, 100.00 % at 0.00, 18: 1199.50",
        "Bank.move(_:): 2 calls, 12.000 ms, 100.00 % at 0.00, 36: 1199.50",
        "Bank.Account.deposit(_:): 1 call, 4.000 ms, 33.33 % at 0.00, 54: 399.50",
        "Bank.fee&lt;A&gt;(_:): 1 call, 1.000 ms, 8.33 % at 0.00, 72: 99.50",
        "Bank.fee&lt;A&gt;(_:): 1 call, 2.000 ms, 16.67 % at 400.00, 54: 199.50",
      ])
    #expect(text.contains(">Bank.Account.deposit(_:)</text>"))
    let reader = try Command(
      "/usr/bin/python3", ["-c", Self.reader, tool.folder.path + "/calls.svg"]
    ).run()
    // The picture, its background, five groups of a title, a frame and a label.
    #expect(reader.standardOutput == "\(2 + 5 * 4)\n", "\(reader)")
  }

  /// Counts the elements of an XML file.
  private static let reader =
    "import sys, xml.etree.ElementTree as t; print(len(list(t.parse(sys.argv[1]).iter())))"

  @Test func `what does not go with trees is an error`() throws {
    let sampled = try tool.run("trace", "Bank", "--tree", "--sample", "10%")
    #expect(sampled.exitCode == 2 && sampled.errors.contains("leave out --tree"), "\(sampled)")
    let counted = try tool.run("trace", "Bank", "--tree", "--summary")
    #expect(counted.exitCode == 2 && counted.errors.contains("leave out --summary"), "\(counted)")
    let nowhere = try trace([], "--output", "nowhere/calls.svg")
    #expect(nowhere.exitCode == 1 && nowhere.errors.contains("cannot write nowhere/calls.svg"))
  }
}
