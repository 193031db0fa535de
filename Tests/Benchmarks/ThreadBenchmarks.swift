// SPDX-License-Identifier: MIT

import BenchmarkFixture
import BenchmarkFloor
import Dispatch
import Waxwing

/// How many calls two threads get through one patch point, for one that a single thread gets: with
/// one Lua state, in which they take turns, and with a parallel patch.
enum ThreadBenchmarks {
  private static let calls = Measurement.scaled(200_000)

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

  /// Nanoseconds for one call of each thread, for so many threads.
  private typealias Time = (_ threads: Int) -> Double

  static func run(_ report: Report) throws {
    let floor = floor()
    let kinds: [(name: String, patches: [String], time: Time)] = [
      ("C: two Lua states, one for each thread", [], floor),
      ("one Lua state", [patch], time),
      ("a parallel patch", ["patch { parallel = true }\n" + patch], time),
    ]
    var alone: [[Double]] = kinds.map { _ in [] }
    var gains = alone
    // The first round warms up.
    for round in 0...report.rounds {
      for (index, kind) in kinds.enumerated() {
        let (one, two) = try Benchmarks.patched(kind.patches) { (kind.time(1), kind.time(2)) }
        if round == 0 { continue }
        alone[index].append(one)
        gains[index].append(2 * one / two)
      }
    }
    report.begin("Two threads on one patch point", "ns, or calls for one of a single thread")
    for (kind, times) in zip(kinds, alone) { report.add("\(kind.name), one thread", times) }
    for (index, kind) in kinds.enumerated() {
      let floor = "\(kinds[0].name), gain of two"
      report.add(
        "\(kind.name), gain of two", gains[index], .times,
        comparedTo: index == 0 ? [] : [.init(floor: Floor(floor), values: gains[0])])
    }
  }

  /// Two Lua states in plain C that share nothing: the most that a machine gives.
  private static func floor() -> Time {
    let states = (0..<2).map { _ in
      guard let state = benchmark_floor_create("return " + function, nil) else {
        preconditionFailure("the floor's Lua state could not be made")
      }
      return UInt(bitPattern: state)
    }
    return { threads in
      let duration = ContinuousClock().measure {
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
          _ = benchmark_floor_integers(OpaquePointer(bitPattern: states[thread]), nil, calls)
        }
      }
      return duration.nanoseconds / Double(calls)
    }
  }

  private static func time(_ threads: Int) -> Double {
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
