// SPDX-License-Identifier: MIT

import BenchmarkFixture
import Waxwing

/// How soon objects die that Lua code gets from Swift and drops: between their last use and the end
/// of their deinitializer, in objects that were made meanwhile and in time.
enum LifetimeBenchmarks {
  private static let count = Measurement.scaled(100_000)

  private struct Run {
    let name: String
    /// What the script holds besides.
    let ballast: String
  }

  private static let runs = [
    Run(name: "a small script", ballast: ""),
    Run(
      name: "a script with 2 MB of tables",
      ballast: "for i = 1, 20000 do ballast[i] = { i } end"),
    Run(
      name: "a script that holds 20000 objects",
      ballast: "for i = 1, 20000 do ballast[i] = make(B) end"),
  ]

  static func run(_ report: Report) throws {
    var times: [String: [Double]] = [:]
    var records: [String: [Brief.Record]] = [:]
    for _ in 0..<min(report.rounds, 5) {
      for run in runs {
        times[run.name, default: []].append(try time(run))
        records[run.name, default: []].append(Brief.record)
      }
    }
    report.begin("Objects made and dropped by Lua code", "ns each")
    for run in runs {
      let records = records[run.name, default: []]
      report.add(run.name, times[run.name, default: []])
      report.add(
        "\(run.name), mean lag, objects",
        records.map { Double($0.totalLag / max($0.died, 1)) }, .objects)
      report.add(
        "\(run.name), longest lag, objects", records.map { Double($0.greatestLag) }, .objects)
      report.add(
        "\(run.name), mean lag, ms",
        records.map { $0.totalTime.nanoseconds / Double(max($0.died, 1)) / 1e6 }, .milliseconds)
      report.add(
        "\(run.name), longest lag, ms", records.map { $0.greatestTime.nanoseconds / 1e6 },
        .milliseconds)
    }
  }

  /// Nanoseconds for one object; the rest is in `Brief.record`.
  private static func time(_ run: Run) throws -> Double {
    // Objects die on the thread that counts them.
    WaxwingEngine.policy.limits.idleMilliseconds = 0
    try WaxwingEngine.start(text: patch(run.ballast), name: "lifetimes")
    Brief.record = Brief.Record(made: Brief.record.made)
    let time = ContinuousClock().measure { precondition(Brief.spawn(count) == count) }
    let record = Brief.record
    let restoration = try WaxwingEngine.restore()
    precondition(restoration.isComplete, "not restored")
    // Without those that die as the script ends.
    Brief.record = record
    return time.nanoseconds / Double(count)
  }

  private static func patch(_ ballast: String) -> String {
    """
    local B = class("BenchmarkFixture.Brief").static
    local ballast, make = {}, B.make
    \(ballast)
    function B:spawn(count)
      local _ = ballast
      for _ = 1, count do local _ = make(B) end
      return count
    end
    """
  }
}
