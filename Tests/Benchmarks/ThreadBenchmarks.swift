// SPDX-License-Identifier: MIT

import BenchmarkFixture
import BenchmarkFloor
import Dispatch
import Waxwing

/// How many calls two threads get through one patch point, for one that a single thread gets: with
/// one Lua state, in which they take turns, and with a parallel patch.
enum ThreadBenchmarks {
  private static let calls = 200_000

  private static let function = """
    function(self, a, b)
      local sum = a
      for i = 1, 50 do sum = sum ~ i end
      for i = 1, 50 do sum = sum ~ i end
      return sum + b
    end
    """

  private static let patch = """
    local calculator = class "BenchmarkFixture.Calculator"
    calculator.add = \(function)
    """

  static func run(
    _ rounds: Int, row: (_ name: String, _ value: String, _ remark: String) -> Void
  ) throws {
    print()
    row("two threads on one patch point", "ns", "calls for one of a single thread")
    let floor = floor(rounds)
    row(
      "C: two Lua states, one for each thread", Benchmarks.format(floor.time),
      Benchmarks.format(floor.gain))
    for (name, manifest) in [
      ("one Lua state", ""), ("a parallel patch", "patch { parallel = true }\n"),
    ] {
      var alone: [Double] = []
      var together: [Double] = []
      try Benchmarks.patched([manifest + patch]) {
        for _ in 0...rounds {
          alone.append(time(threads: 1))
          together.append(time(threads: 2))
        }
      }
      let ratios = zip(alone, together).dropFirst().map { 2 * $0 / $1 }
      row(
        name, Benchmarks.format(Array(alone.dropFirst()).median),
        "\(Benchmarks.format(ratios.median)), \(Benchmarks.format(ratios.median / floor.gain)) of C's"
      )
    }
    print()
  }

  /// What two Lua states in plain C get through that share nothing: the most that a machine gives.
  private static func floor(_ rounds: Int) -> (time: Double, gain: Double) {
    let states = (0..<2).map { _ in
      guard let state = benchmark_floor_create("return " + function, nil) else {
        preconditionFailure("the floor's Lua state could not be made")
      }
      return UInt(bitPattern: state)
    }
    func time(_ threads: Int) -> Double {
      let duration = ContinuousClock().measure {
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
          _ = benchmark_floor_integers(OpaquePointer(bitPattern: states[thread]), nil, calls)
        }
      }
      return duration.nanoseconds / Double(calls)
    }
    var alone: [Double] = []
    var together: [Double] = []
    for _ in 0...rounds {
      alone.append(time(1))
      together.append(time(2))
    }
    let ratios = zip(alone, together).dropFirst().map { 2 * $0 / $1 }
    return (Array(alone.dropFirst()).median, ratios.median)
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
