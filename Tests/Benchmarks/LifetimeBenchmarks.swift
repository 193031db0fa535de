// SPDX-License-Identifier: MIT

import BenchmarkFixture
import Waxwing

/// How soon objects die that Lua code gets from Swift and drops: between their last use and the end
/// of their deinitializer, in objects that were made meanwhile and in time.
enum LifetimeBenchmarks {
  static let count = 100_000

  private struct Run {
    let name: String
    /// What the script holds besides.
    let ballast: String
  }

  static func run(row: (_ name: String, _ value: String, _ remark: String) -> Void) throws {
    print()
    row("\(count) objects, made and dropped by Lua code", "ns each", "lag in objects, in ms")
    for run in [
      Run(name: "a small script", ballast: ""),
      Run(
        name: "a script with 2 MB of tables",
        ballast: "for i = 1, 20000 do ballast[i] = { i } end"),
      Run(
        name: "a script that holds 20000 objects",
        ballast: "for i = 1, 20000 do ballast[i] = make(B) end"),
    ] {
      // Objects die on the thread that counts them.
      WaxwingEngine.policy.limits.idleMilliseconds = 0
      try WaxwingEngine.start(text: patch(run.ballast), name: "lifetimes")
      Brief.record = Brief.Record(made: Brief.record.made)
      let time = ContinuousClock().measure { precondition(Brief.spawn(count) == count) }
      let record = Brief.record
      let restoration = try WaxwingEngine.restore()
      precondition(restoration.isComplete, "not restored")
      row(
        run.name, "\(Int(time.nanoseconds) / count)",
        "mean \(record.totalLag / max(record.died, 1)), \(milliseconds(record.totalTime, record.died)); "
          + "most \(record.greatestLag), \(milliseconds(record.greatestTime, 1))")
    }
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

  private static func milliseconds(_ duration: Duration, _ count: Int) -> String {
    let hundredths = Int(duration.nanoseconds / Double(max(count, 1)) / 10_000)
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
}
