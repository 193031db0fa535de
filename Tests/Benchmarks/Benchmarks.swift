// SPDX-License-Identifier: MIT

import Foundation
import Waxwing

/// Prints what patching costs: see `usage`. Every round measures everything once, so that a ratio is
/// one of times taken close to each other; what is printed is the median of all rounds. The ratio of
/// the best times holds on a busy machine, too.
@main
enum Benchmarks {
  private static let usage = """
    usage: WaxwingBenchmarks [--json FILE] [ROUNDS [NAME]]
           WaxwingBenchmarks --count              under callgrind: see scripts/bench --instructions
           WaxwingBenchmarks --report FOLDER [--table FILE [--update]]

      ROUNDS       more rounds, steadier medians; 15 by default
      NAME         only calls whose names end like that; or async, lifetimes, threads,
                   latency, memory, programs, sessions
      --json FILE  writes all that is printed of calls there, too
      --report     what callgrind has counted, in that folder; with a table the ratios are compared
                   with its: more than 5 % above it is a failure, --update writes it anew

    """

  /// Those of which the instructions are counted: no thread but one takes part.
  private static var steady: [(title: String, list: [Measurement])] {
    [
      ("Swift calls Lua", CallBenchmarks.all + ClassBenchmarks.all),
      ("Lua uses Swift", BridgeBenchmarks.all),
      ("Several on one function", ChainBenchmarks.all),
      ("What limits cost", LimitBenchmarks.all),
    ]
  }

  static func main() throws {
    WaxwingEngine.setLogHandler { _ in }
    WaxwingEngine.policy.limits = .none
    var arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "--help":
      print(usage, terminator: "")
    case "--count":
      try InstructionCounts.count(steady.flatMap(\.list))
    case "--report":
      guard arguments.count >= 2 else { fail(usage) }
      let report = try InstructionCounts(arguments[1], of: steady)
      report.show()
      guard let table = arguments.firstIndex(of: "--table"), table + 1 < arguments.count else {
        return
      }
      if !(try report.compare(arguments[table + 1], updates: arguments.contains("--update"))) {
        exit(1)
      }
    default:
      var results: BenchmarkResults?
      if arguments.first == "--json" {
        guard arguments.count >= 2 else { fail(usage) }
        results = BenchmarkResults(arguments[1])
        arguments.removeFirst(2)
      }
      if let unknown = arguments.first, unknown.hasPrefix("-") { fail(usage) }
      try measure(arguments.first.flatMap(Int.init) ?? 15, arguments.dropFirst().first, &results)
      try results?.write()
    }
  }

  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data(message.utf8))
    exit(2)
  }

  private static func measure(
    _ rounds: Int, _ name: String?, _ results: inout BenchmarkResults?
  ) throws {
    if name != "lifetimes" {
      for (title, list) in steady {
        try calls(list.filter { name.map($0.name.hasSuffix) ?? true }, rounds, title, &results)
      }
    }
    if name == nil || name == "async" {
      try calls(AsyncBenchmarks.all, rounds, "Swift waits for Lua", &results)
    }
    if name == nil || name == "threads" { try ThreadBenchmarks.run(rounds, row: row) }
    if name == nil || name == "latency" { try LatencyBenchmarks.run(row: row) }
    if name == nil || name == "memory" { try MemoryBenchmarks.run(row: row) }
    if name == nil || name == "programs" { try ProgramBenchmarks.run(rounds, row: row) }
    if name == nil || name == "attach" { try AttachBenchmarks.run(rounds, row: row) }
    if name == nil || name == "sessions" { try sessions(rounds) }
    if name == nil || name == "lifetimes" { try LifetimeBenchmarks.run(row: row) }
  }

  private static func calls(
    _ measurements: [Measurement], _ rounds: Int, _ title: String,
    _ results: inout BenchmarkResults?
  ) throws {
    if measurements.isEmpty { return }
    let counts = try measurements.map { measurement in
      try patched(measurement.patches, measurement.limits) {
        measurement.count(lasting: .milliseconds(20))
      }
    }
    var times: [String: [Double]] = [:]
    for _ in 0..<rounds {
      for (measurement, count) in zip(measurements, counts) {
        let time = try patched(measurement.patches, measurement.limits) {
          _ = measurement.time(count / 10)
          return measurement.time(count)
        }
        times[measurement.name, default: []].append(time)
      }
    }
    row(title, "ns", "ratio")
    for measurement in measurements {
      let own = times[measurement.name, default: []]
      let ratios = measurement.floors.map { name in
        guard let floor = times[name] else { return "? × \(name)" }
        let best = format(own.least / floor.least)
        return "\(format(zip(own, floor).map(/).median)) (best \(best)) × \(name)"
      }
      row(measurement.name, format(own.median), ratios.joined(separator: ", "))
      results?.add(measurement, title, times)
    }
    print()
  }

  private static func sessions(_ rounds: Int) throws {
    var sizes = [1, 100, 1000].map(SessionBenchmarks.init)
    for index in sizes.indices {
      for _ in 0..<(rounds + 1) { try sizes[index].round() }
    }
    print()
    row("one patch", "µs", "µs an override, ratio to a chunk of as many functions in plain C")
    for size in sizes {
      for (verb, times, floor) in [
        ("apply", size.applying, size.loading), ("restore", size.restoring, size.closing),
      ] {
        // Without the first, which warms up.
        let time = Array(times.dropFirst()).median / 1000
        let ratios = zip(times, floor).dropFirst().map(/)
        row(
          "\(verb), \(size.overrides) override\(size.overrides == 1 ? "" : "s")", format(time),
          "\(format(time / Double(size.overrides))), \(format(ratios.median))")
      }
    }
  }

  /// Runs `body` while the patches are live.
  static func patched<Result>(
    _ patches: [String], _ limits: Policy.Limits = .none, _ body: () -> Result
  ) throws -> Result {
    if patches.isEmpty { return body() }
    WaxwingEngine.policy.limits = limits
    WaxwingEngine.policy.limits.faults = 0  // overrides that fail are measured, too
    for (index, patch) in patches.enumerated() {
      try WaxwingEngine.start(text: patch, name: "benchmark\(index)")
    }
    let result = body()
    let restoration = try WaxwingEngine.restore()
    precondition(restoration.isComplete, "not restored")
    return result
  }

  static func row(_ name: String, _ value: String, _ remark: String) {
    let space = String(repeating: " ", count: max(1, 50 - name.count - value.count))
    print(name + space + value + (remark.isEmpty ? "" : "   " + remark))
  }

  static func format(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
