// SPDX-License-Identifier: MIT

import Foundation
import WaxwingTestSupport

/// What requests of a whole program take: of bankd without implicit dynamic, un-patched, and with
/// overrides that call their originals.
enum DaemonBenchmarks {
  private static let requests = 100
  /// It is called by each second request.
  private static let onPath = "bankd.Account.deposit(_:memo:)"

  static func run(_ report: Report, plain: String?) throws {
    let title = "bankd, a client with one connection"
    guard let bankd = try? BuiltProduct("bankd"), let waxwing = try? BuiltProduct("waxwing") else {
      report.begin(title, "µs")
      report.leaveOut("requests of bankd", because: "build the products bankd and waxwing")
      return
    }
    let points = try PassThrough.points(of: bankd.path, waxwing.path)
    let one = points.filter { $0.selector == onPath }
    precondition(one.count == 1 && points.count > 100, "bankd has other points than expected")
    let (compiled, unpatched) = ("without implicit dynamic", "un-patched")
    func daemon(_ name: String, _ points: [PassThrough]) throws -> BenchmarkedDaemon {
      try BenchmarkedDaemon(
        name, comparedTo: unpatched, bankd.path, points: points, requests: requests)
    }
    let daemons =
      try [plain].compactMap { $0 }.map {
        try BenchmarkedDaemon(compiled, $0, requests: requests)
      } + [
        try BenchmarkedDaemon(
          unpatched, comparedTo: compiled, bankd.path, requests: requests),
        try daemon("1 override", one),
        try daemon("100 overrides", Array(points.prefix(100))),
        try daemon("all \(points.count) points passed through", points),
      ]
    for _ in 0...report.rounds {
      for daemon in daemons { try daemon.measure() }
    }
    report.begin(title, "µs")
    if plain == nil {
      report.leaveOut("without implicit dynamic", because: "name such a bankd with --plain")
    }
    show(daemons, report, "CPU time of a request", \.processorTimes)
    show(daemons, report, "time of a request", \.times)
  }

  private static func show(
    _ daemons: [BenchmarkedDaemon], _ report: Report, _ title: String,
    _ values: (BenchmarkedDaemon) -> [Double]
  ) {
    for daemon in daemons {
      let floor = daemons.first { $0.name == daemon.floor }
      report.add(
        "\(daemon.name), \(title)", values(daemon), .microseconds,
        comparedTo: floor.map {
          [.init(floor: Floor("\($0.name), \(title)"), values: values($0))]
        } ?? [])
    }
  }
}

/// Overrides of a program's functions that only call their originals.
struct PassThrough: Decodable {
  private struct Listing: Decodable { let points: [PassThrough] }

  let selector: String
  /// A whole patch of one override; nil: there can be none.
  private let patch: String?

  /// Those that can be overridden.
  static func points(of program: String, _ waxwing: String) throws -> [PassThrough] {
    let json = try ChildProcess.output(of: waxwing, ["points", program, "--patch", "--json"])
    return try JSONDecoder().decode(Listing.self, from: Data(json.utf8)).points
      .filter { $0.patch != nil }
  }

  /// One patch of many.
  static func patch(_ points: [PassThrough]) -> String {
    let overrides = points.compactMap(\.patch).map { patch in
      // Behind a comment and the manifest.
      "do\n"
        + patch.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
        .joined(separator: "\n") + "\nend\n"
    }
    return "patch { name = \"benchmark\" }\n" + overrides.joined()
  }
}

/// A bankd that runs, and what its requests have taken in each round.
final class BenchmarkedDaemon {
  let name: String
  /// The name of the one that it is compared with.
  let floor: String?
  /// Microseconds of a request.
  private(set) var times: [Double] = []
  /// What of it the daemon has run on a processor, in user mode and in the kernel.
  private(set) var processorTimes: [Double] = []

  private let requests: Int
  private let directory: TemporaryDirectory
  private let process: RunningProcess
  private let clock: clockid_t
  private var client: HTTPClient
  private var isWarm = false

  /// Starts it, with a patch of these points; it ends with the last reference.
  init(
    _ name: String, comparedTo floor: String? = nil, _ program: String,
    points: [PassThrough] = [], requests: Int
  ) throws {
    (self.name, self.floor, self.requests) = (name, floor, requests)
    directory = try TemporaryDirectory()
    let folder = directory.path
    let patch = try directory.write(PassThrough.patch(points), to: "benchmark.lua")
    process = try Command(
      program, ["--port", "0"],
      environment: [
        "WAXWING_SOCKET_DIR": folder, "WAXWING_STATE_DIR": "\(folder)/state",
        "WAXWING_CONFIG_DIR": folder, "WAXWING_LOG_DIR": "off",
        "WAXWING_PATCHES": points.isEmpty ? "" : patch, "WAXWING_UNSIGNED": "allow",
      ]
    ).start()
    let line = try process.waitForLine(startingWith: "bankd listening on http://127.0.0.1:")
    guard
      let port = line.split(whereSeparator: { ": ()".contains($0) }).compactMap({ UInt16($0) })
        .first
    else { throw TestSupportError("bankd says no port: \(line)") }
    guard points.isEmpty || process.standardError.contains("patch.applied") else {
      throw TestSupportError("the patch is not live: \(process.standardError)")
    }
    var clock = clockid_t()
    guard clock_getcpuclockid(process.pid, &clock) == 0 else {
      throw TestSupportError("bankd's processor time cannot be read")
    }
    self.clock = clock
    client = try HTTPClient(port: port)
    _ = try client.request("POST", "/accounts", body: #"{"owner":"Ada"}"#)
  }

  /// Makes requests, of two kinds in turns. The first time warms up.
  func measure() throws {
    let before = processorTime
    let time = try ContinuousClock().measure {
      for _ in 0..<(requests / 2) {
        let deposit = try client.request("POST", "/accounts/1001/deposit", body: #"{"amount":1}"#)
        let account = try client.request("GET", "/accounts/1001")
        guard deposit.status == 200, account.status == 200 else {
          throw TestSupportError("\(deposit.summary) \(account.summary)")
        }
      }
    }
    let processorTime = processorTime - before
    defer { isWarm = true }
    guard isWarm else { return }
    times.append(time.nanoseconds / 1000 / Double(requests))
    processorTimes.append(processorTime / 1000 / Double(requests))
  }

  private var processorTime: Double {
    var now = timespec()
    clock_gettime(clock, &now)
    return Double(now.tv_sec) * 1e9 + Double(now.tv_nsec)
  }
}
