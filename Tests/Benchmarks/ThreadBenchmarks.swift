// SPDX-License-Identifier: MIT

import BenchmarkFixture
import Dispatch
import Waxwing

/// How many calls two threads get through one patch point, for one that a single thread gets: with
/// one Lua state, in which they take turns, and with a parallel patch.
enum ThreadBenchmarks {
  private static let calls = 200_000

  private static let function = """
    local calculator = class "BenchmarkFixture.Calculator"
    function calculator:add(a, b)
      local sum = a
      for i = 1, 50 do sum = sum ~ i end
      for i = 1, 50 do sum = sum ~ i end
      return sum + b
    end
    """

  static func run(
    _ rounds: Int, row: (_ name: String, _ value: String, _ remark: String) -> Void
  ) throws {
    print()
    row("two threads on one patch point", "ns", "calls for one of a single thread")
    for (name, manifest) in [
      ("one Lua state", ""), ("a parallel patch", "patch { parallel = true }\n"),
    ] {
      var alone: [Double] = []
      var together: [Double] = []
      try Benchmarks.patched([manifest + function]) {
        for _ in 0...rounds {
          alone.append(time(threads: 1))
          together.append(time(threads: 2))
        }
      }
      let ratios = zip(alone, together).dropFirst().map { 2 * $0 / $1 }
      row(
        name, Benchmarks.format(Array(alone.dropFirst()).median), Benchmarks.format(ratios.median))
    }
    print()
  }

  /// Nanoseconds for one call of each thread.
  private static func time(threads: Int) -> Double {
    let duration = ContinuousClock().measure {
      DispatchQueue.concurrentPerform(iterations: threads) { _ in
        let calculator = Calculator()
        var sum = 0
        for i in 0..<calls { sum &+= calculator.add(i, 2) }
        precondition(sum == calls * (calls - 1) / 2 + 2 * calls, "wrong sum")
      }
    }
    return duration.nanoseconds / Double(calls)
  }
}
