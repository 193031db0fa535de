// SPDX-License-Identifier: MIT

import Foundation
import Waxwing

/// Prints what patching costs: see `Options.usage`. Every round measures everything in a section once,
/// so that a ratio is one of values taken close to each other; what is printed is the median of all
/// rounds. The ratio of the best values holds on a busy machine, too.
@main
enum Benchmarks {
  private typealias Section = (name: String, run: (Report, Options) throws -> Void)

  /// All of which the instructions are counted: no two threads take part at once.
  private static var steady: [(title: String, list: [Measurement])] {
    calls + [("Swift waits for Lua", AsyncBenchmarks.single)]
  }

  private static var calls: [(title: String, list: [Measurement])] {
    [
      ("Swift calls Lua", CallBenchmarks.all + ClassBenchmarks.all),
      ("Lua uses Swift", BridgeBenchmarks.all),
      ("Several on one function", ChainBenchmarks.all),
      ("What limits cost", LimitBenchmarks.all),
      ("Library functions", LibraryBenchmarks.all),
    ]
  }

  /// Everything else.
  private static var sections: [Section] {
    [
      ("async", { report, _ in try measure(AsyncBenchmarks.all, "Swift waits for Lua", report) }),
      ("models", { report, _ in try measure(ModelBenchmarks.all, "JSON and models", report) }),
      ("threads", { report, _ in try ThreadBenchmarks.run(report) }),
      ("latency", { report, _ in try LatencyBenchmarks.run(report) }),
      ("memory", { report, _ in try MemoryBenchmarks.run(report) }),
      ("programs", { report, _ in try ProgramBenchmarks.run(report) }),
      ("sessions", { report, _ in try SessionBenchmarks.run(report) }),
      ("classes", { report, _ in try ClassEndBenchmarks.run(report) }),
      ("lifetimes", { report, _ in try LifetimeBenchmarks.run(report) }),
      ("startup", { try StartupBenchmarks.run($0, library: $1.points) }),
      ("traces", { report, _ in try TraceBenchmarks.run(report) }),
      ("daemon", { try DaemonBenchmarks.run($0, plain: $1.plain) }),
      ("peers", { try PeerBenchmarks.run($0, folder: $1.peers) }),
    ]
  }

  static func main() throws {
    WaxwingEngine.setLogHandler { _ in }
    WaxwingEngine.policy.limits = .none
    guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
      fail(Options.usage)
    }
    switch options.mode {
    case .help: print(Options.usage, terminator: "")
    case .count: try InstructionCounts.count(counted(options.name))
    case .report: try report(options)
    case .start(let kind): try StartupBenchmarks.start(kind, library: options.points)
    case .measure: try measure(options)
    }
  }

  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data(message.utf8))
    exit(2)
  }

  private static func counted(_ suffix: String?) -> [Measurement] {
    let all = steady.flatMap(\.list)
    guard let suffix else { return all }
    let chosen = all.filter { $0.name.hasSuffix(suffix) }
    if chosen.isEmpty { fail("no call has a name that ends in '\(suffix)'\n") }
    return chosen
  }

  private static func report(_ options: Options) throws {
    let counts = try InstructionCounts(options.folders, of: steady)
    counts.show()
    if let file = options.json { try counts.write(to: file) }
    guard let table = options.table else { return }
    if !(try counts.compare(table, updates: options.updates)) { exit(1) }
  }

  private static func measure(_ options: Options) throws {
    Measurement.isBrief = options.isBrief
    let report = Report(rounds: options.rounds)
    let chosen = sections.filter { options.name == nil || options.name == $0.name }
    if options.name == nil || options.name == "calls" || chosen.isEmpty {
      let suffix = options.name == "calls" ? "" : options.name ?? ""
      for (title, list) in calls { try measure(list.matching(suffix), title, report) }
    }
    for section in chosen { try section.run(report, options) }
    if report.isEmpty { fail("nothing has a name that ends in '\(options.name ?? "")'\n") }
    if let file = options.json { try report.write(to: file) }
  }

  /// Measures calls, each in as many as last some time.
  static func measure(_ measurements: [Measurement], _ title: String, _ report: Report) throws {
    if measurements.isEmpty { return }
    let counts = try measurements.map { measurement in
      try patched(measurement.patches, measurement.limits) {
        measurement.count(lasting: .milliseconds(20))
      }
    }
    var times: [String: [Double]] = [:]
    for _ in 0..<report.rounds {
      for (measurement, count) in zip(measurements, counts) {
        let time = try patched(measurement.patches, measurement.limits) {
          _ = measurement.time(count / 10)
          return measurement.time(count)
        }
        times[measurement.name, default: []].append(time)
      }
    }
    report.begin(title, "ns")
    for measurement in measurements {
      let floors = measurement.floors.map { floor in
        guard let values = times[floor.name] else {
          preconditionFailure("'\(measurement.name)' is compared with what its section has not")
        }
        return Report.Comparison(floor: floor, values: values)
      }
      report.add(
        measurement.name, times[measurement.name, default: []], comparedTo: floors)
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
}
