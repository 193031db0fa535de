// SPDX-License-Identifier: MIT

import ByteTrials
import Expectations
import Foundation
import Synchronization
import Testing
import WaxwingControl
import WaxwingTestSupport

/// `waxwing top` in a terminal of 80 columns, which tmux is.
@Suite struct TopTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  private static func override(
    _ selector: String, errors: UInt64 = 0, p99: Double? = nil
  ) -> OverrideStatus {
    var override = OverrideStatus(selector: selector, calls: 1200, errors: errors)
    override.times = p99.map {
      TimesReport(calls: 3, sum: 3 * $0, p50: $0 / 2, p99: $0, longest: $0)
    }
    return override
  }

  private static func patch(
    _ name: String, _ state: PatchStatus.State = .active, memory: Int, tasks: Int = 0,
    _ overrides: [OverrideStatus]
  ) -> PatchStatus {
    var patch = PatchStatus(
      name: name, version: 1, file: "a.lua", state: state,
      appliedAt: Timestamp(secondsSince1970: 0), overrides: overrides)
    patch.memory = memory
    patch.callsInFlight = 1
    patch.tasks = PatchStatus.Tasks(live: tasks, failed: 0, cancelled: 0)
    return patch
  }

  /// Nothing is called, so that all rates are 0.
  private static let patches = [
    patch(
      "overdraft", memory: 94_190,
      [
        override("Bank.Account.withdraw(_:memo:)", errors: 2, p99: 0.0123),
        override("Bank.Account.Very.Deeply.Nested.deposit(_:memo:)", p99: 4.5),
      ]),
    patch("audit\u{1b}[2J", .draining, memory: 2_000_000, tasks: 3, [override("Bank.fee(_:)")]),
  ]

  /// A terminal with the tool in it.
  private final class Terminal {
    private let socket: String
    private let folder: String

    init(_ tool: Tool, _ arguments: [String], columns: Int = 80, rows: Int = 16) throws {
      folder = tool.folder.path
      socket = folder + "/tmux"
      let command = ([Tool.path, "top", "--every", "0.1"] + arguments).joined(separator: " ")
      let environment = "env WAXWING_SOCKET_DIR=\(folder)/s NO_COLOR=1"
      try tmux([
        "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
        "\(environment) \(command); echo left; sleep 1000",
      ])
      try tmux(["set-option", "-g", "window-size", "manual"])
    }

    deinit { _ = try? tmux(["kill-server"]) }

    @discardableResult
    func tmux(_ arguments: [String]) throws -> String {
      let result = try Command(
        "/usr/bin/tmux", ["-u", "-S", socket] + arguments,
        environment: ["TERM": "xterm", "LC_ALL": "C.UTF-8", "TMUX": ""]
      ).run()
      #expect(result.isSuccess, "\(result.standardError)")
      return result.standardOutput
    }

    func type(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

    /// Without spaces at the ends of lines.
    var screen: String {
      get throws { try tmux(["capture-pane", "-p"]) }
    }

    /// Waits until the screen is this; shows what it was else.
    func expect(_ wanted: String, at location: SourceLocation = #_sourceLocation) throws {
      try expect({ $0 == wanted + "\n" }, at: location)
    }

    func expect(
      _ condition: (String) -> Bool, at location: SourceLocation = #_sourceLocation
    ) throws {
      var last = ""
      try waitUntil("the screen", seen: last, sourceLocation: location) {
        last = try screen
        return condition(last)
      }
    }
  }

  @Test func `the screen has patches, overrides and the keys`() throws {
    let daemon = try FakeDaemon(tool) { _ in .to(ListRequest.self, Self.patches) }
    defer { daemon.server.stop() }
    let terminal = try Terminal(tool, [])
    try terminal.expect(
      """
      bankd (pid 4711): 2 patches, 3 overrides, 0.0 calls/s, 2 errors
      PATCH                     STATE      CALLS/S   FLIGHT    TASKS   MEMORY   ERRORS
      audit\\u{1b}[2J            draining       0.0        1        3  1953 KB        0
      overdraft                 active         0.0        1        0    92 KB        2

      OVERRIDE                           PATCH      CALLS/S      P50      P99   ERRORS
      …y.Deeply.Nested.deposit(_:memo:)  overdraft      0.0  2.25 ms  4.50 ms        0
      Bank.Account.withdraw(_:memo:)     overdraft      0.0  6.15 µs  12.3 µs        2
      Bank.fee(_:)                       audit\\u{1b…    0.0        -        -        0






      q quit  ↑↓ select  Enter trace  s sort: calls  / filter  w measures
      """)
    try terminal.type("q")
    try terminal.expect { $0.hasPrefix("left\n") }
  }

  @Test func `keys sort, filter and select, and the screen follows the terminal's size`() throws {
    let daemon = try FakeDaemon(tool) { _ in .to(ListRequest.self, Self.patches) }
    defer { daemon.server.stop() }
    let terminal = try Terminal(tool, ["--sort", "name"])
    /// The overrides in the order in which they are shown.
    func order(_ screen: String) -> [String] {
      screen.split(separator: "\n").compactMap { line in
        ["deposit", "withdraw", "fee"].first { line.contains(".\($0)(") }
      }
    }
    try terminal.expect { order($0) == ["deposit", "withdraw", "fee"] }
    try terminal.type("e")
    try terminal.expect {
      order($0) == ["withdraw", "deposit", "fee"] && $0.contains("sort: errors")
    }
    try terminal.type("s")
    try terminal.expect {
      order($0) == ["fee", "deposit", "withdraw"] && $0.contains("sort: memory")
    }
    try terminal.type("/", "F", "e", "x", "BSpace")
    try terminal.expect { order($0) == ["fee"] && $0.contains("filter: Fe_") }
    try terminal.type("Enter")
    try terminal.expect { order($0) == ["fee"] && $0.contains("/ filter: Fe") }
    try terminal.type("Escape")
    try terminal.expect { order($0).count == 3 }
    try terminal.tmux(["resize-window", "-x", "110", "-y", "9"])
    try terminal.expect {
      $0.contains("Bank.Account.Very.Deeply.Nested.deposit(_:memo:)")
        && $0.split(separator: "\n", omittingEmptySubsequences: false).count == 10
    }
  }

  @Test func `a selected function is traced until one goes back, and measuring begins`() throws {
    let asked = Mutex<[String]>([])
    let daemon = try FakeDaemon(tool) { request in
      switch request {
      case is ListRequest: return .to(ListRequest.self, Self.patches)
      case let trace as TraceRequest:
        asked.withLock { $0.append("trace \(trace.pattern)") }
        return .to(
          TraceRequest.self, TraceReport(name: "trace-7", points: [trace.pattern], refusals: []))
      case is TraceCallsRequest:
        var batch = TraceBatch()
        batch.calls = [
          TracedCall(
            point: 1, level: 1, thread: 12, began: 0, cost: 0.5, succeeded: true, receiver: "",
            arguments: "5, \"x\"", outcome: "7", shown: "")
        ]
        return .to(TraceCallsRequest.self, batch)
      case let revert as RevertRequest:
        asked.withLock { $0.append("revert \(revert.name)") }
        return .to(
          RevertRequest.self, RestoreReport.reverted(patch: revert.name, entriesVerified: 1))
      case let measure as MeasureRequest:
        asked.withLock { $0.append("measure \(measure.isOn)") }
        return .to(MeasureRequest.self, [])
      default: return FakeDaemon.answer(request)
      }
    }
    defer { daemon.server.stop() }
    let terminal = try Terminal(tool, [])
    try terminal.expect { $0.contains("Bank.fee(_:)") }
    try terminal.type("Down", "Enter")
    try terminal.expect {
      $0.hasPrefix("calls of Bank.Account.withdraw(_:memo:)\n")
        && $0.contains(#"500.000 ms  Bank.Account.withdraw(_:memo:)  (5, "x")  = 7"#)
        && $0.contains("\nq, Esc: back")
    }
    try terminal.type("Escape")
    try terminal.expect { $0.contains("2 patches, 3 overrides") }
    try terminal.type("w")
    expectEventually(
      asked.withLock { $0 },
      ["trace Bank.Account.withdraw(_:memo:)", "revert trace-7", "measure true"])
  }

  @Test func `P50 and P99 are those of the calls since the last look`() throws {
    /// A daemon in which 1,000 calls had been fast, and one more that is slow comes between the looks.
    let looks = Atomic(0)
    let daemon = try FakeDaemon(tool) { _ in
      let isFirst = looks.add(1, ordering: .relaxed).oldValue == 0
      var override = Self.override("Bank.fee(_:)")
      override.times = TimesReport(
        calls: isFirst ? 1000 : 1001, sum: isFirst ? 1 : 5.5, p50: 0.001, p99: 0.001,
        longest: isFirst ? 0.001 : 4.5)
      override.times?.spans =
        [.init(end: 1024, calls: 1000)] + (isFirst ? [] : [.init(end: 4_718_592, calls: 1)])
      return .to(ListRequest.self, [Self.patch("fees", memory: 0, [override])])
    }
    defer { daemon.server.stop() }
    let lines = try tool.run("top", "--every", "0.1").output.split(separator: "\n")
    #expect(lines.last == "Bank.fee(_:)  fees       0.0  4.50 ms  4.50 ms       0", "\(lines)")
    // Nothing has been called since: there are no times.
    struct Sample: Decodable {
      struct Times: Decodable { let calls: Int }
      struct Override: Decodable { let times: Times }
      let overrides: [Override]
    }
    let json = try tool.run("top", "--every", "0.1", "--json").output
    let sample = try JSONDecoder().decode(Sample.self, from: Data(json.utf8))
    #expect(sample.overrides.map(\.times.calls) == [0])
  }

  @Test func `without a terminal it prints one look`() throws {
    let daemon = try FakeDaemon(tool) { _ in .to(ListRequest.self, Self.patches) }
    defer { daemon.server.stop() }
    #expect(
      try tool.run("top", "--every", "0.1", "--filter", "overdraft", "--sort", "p99").output == """
        PATCH           STATE     CALLS/S  FLIGHT  TASKS   MEMORY  ERRORS
        overdraft       active        0.0       1      0    92 KB       2
        audit\\u{1b}[2J  draining      0.0       1      3  1953 KB       0

        OVERRIDE                                          PATCH      CALLS/S      P50      P99  ERRORS
        Bank.Account.Very.Deeply.Nested.deposit(_:memo:)  overdraft      0.0  2.25 ms  4.50 ms       0
        Bank.Account.withdraw(_:memo:)                    overdraft      0.0  6.15 µs  12.3 µs       2

        """)
    struct Sample: Decodable {
      struct Override: Decodable { let function: String }
      let daemon: DaemonInfo
      let overrides: [Override]
    }
    let json = try tool.run("top", "--every", "0.1", "--json").output
    let sample = try JSONDecoder().decode(Sample.self, from: Data(json.utf8))
    #expect(sample.daemon.program == "bankd" && sample.overrides.count == 3)
    let wrong = try tool.run("top", "--sort", "speed")
    #expect(wrong.exitCode == 2 && wrong.errors.contains("'--sort' needs one of calls, p50"))
  }
}
