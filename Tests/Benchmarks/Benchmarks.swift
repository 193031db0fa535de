// SPDX-License-Identifier: MIT

import Waxwing

/// Prints what patching costs: [ROUNDS [NAME]], where NAME selects calls by the end of theirs, or is
/// `async`, `lifetimes`, `threads` or `sessions`. Every round measures everything once, so that a
/// ratio is one of times taken close to each other; what is printed is the median of all rounds. The
/// ratio of the best times holds on a busy machine, too.
@main
enum Benchmarks {
  static func main() throws {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 15
    let name = CommandLine.arguments.dropFirst(2).first
    WaxwingEngine.setLogHandler { _ in }
    WaxwingEngine.policy.limits = .none
    if name != "lifetimes" {
      for (title, list) in [
        ("Swift calls Lua", CallBenchmarks.all + ClassBenchmarks.all),
        ("Lua uses Swift", BridgeBenchmarks.all),
        ("Several on one function", ChainBenchmarks.all),
        ("What limits cost", LimitBenchmarks.all),
      ] {
        try calls(list.filter { name.map($0.name.hasSuffix) ?? true }, rounds, title: title)
      }
    }
    if name == nil || name == "async" {
      try calls(AsyncBenchmarks.all, rounds, title: "Swift waits for Lua")
    }
    if name == nil || name == "threads" { try ThreadBenchmarks.run(rounds, row: row) }
    if name == nil || name == "sessions" { try sessions(rounds) }
    if name == nil || name == "lifetimes" { try LifetimeBenchmarks.run(row: row) }
  }

  private static func calls(
    _ measurements: [Measurement], _ rounds: Int, title: String
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
    for (index, patch) in patches.enumerated() {
      try WaxwingEngine.start(text: patch, name: "benchmark\(index)")
    }
    let result = body()
    let restoration = try WaxwingEngine.restore()
    precondition(restoration.isComplete, "not restored")
    return result
  }

  private static func row(_ name: String, _ value: String, _ remark: String) {
    let space = String(repeating: " ", count: max(1, 50 - name.count - value.count))
    print(name + space + value + (remark.isEmpty ? "" : "   " + remark))
  }

  static func format(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
