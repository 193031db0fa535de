// SPDX-License-Identifier: MIT

import BenchmarkFixture
import Dispatch
import Glibc

/// How long single calls take while two threads call without a pause: the worst, too, which a mean
/// hides.
enum LatencyBenchmarks {
  private static let calls = Measurement.scaled(200_000)

  private static let patch = """
    local calculator = class "BenchmarkFixture.Calculator"
    function calculator:add(a, b) return a + b end
    """

  private static let shares = [
    (0.5, "p50"), (0.9, "p90"), (0.99, "p99"), (0.999, "p99.9"), (1, "the longest"),
  ]

  private static let kinds = [
    (name: "not patched", patches: []), (name: "patched, one Lua state", patches: [patch]),
    (name: "a parallel patch", patches: ["patch { parallel = true }\n" + patch]),
  ]

  static func run(_ report: Report) throws {
    var values: [String: [Double]] = [:]
    _ = times()
    for _ in 0..<min(report.rounds, 5) {
      for (name, patches) in kinds {
        try Benchmarks.patched(patches) {
          _ = times()
          let times = times()
          for (share, title) in shares {
            let index = Int(Double(times.count - 1) * share)
            values["\(name), \(title)", default: []].append(Double(times[index]))
          }
        }
      }
    }
    report.begin("One call under load of two threads", "ns")
    for (name, patches) in kinds {
      for (_, title) in shares {
        let floor = "\(kinds[0].name), \(title)"
        report.add(
          "\(name), \(title)", values["\(name), \(title)", default: []],
          comparedTo: patches.isEmpty
            ? [] : [Report.Comparison(floor: Floor(floor), values: values[floor, default: []])])
      }
    }
  }

  /// What calls took, in nanoseconds, in order. The clock's own time is in it.
  private static func times() -> [UInt64] {
    let all = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 2 * calls)
    defer { all.deallocate() }
    let address = UInt(bitPattern: all.baseAddress)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      guard let base = UnsafeMutablePointer<UInt64>(bitPattern: address) else { return }
      let calculator = Calculator()
      for call in 0..<calls {
        let before = nanoseconds()
        precondition(calculator.add(call, 2) == call + 2)
        base[thread * calls + call] = nanoseconds() - before
      }
    }
    return all.sorted()
  }

  private static func nanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }
}
