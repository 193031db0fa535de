// SPDX-License-Identifier: MIT

import BenchmarkFixture
import Dispatch
import Glibc

/// How long single calls take while two threads call without a pause: the worst, too, which a mean
/// hides.
enum LatencyBenchmarks {
  private static let calls = 200_000

  private static let patch = """
    local calculator = class "BenchmarkFixture.Calculator"
    function calculator:add(a, b) return a + b end
    """

  static func run(row: (_ name: String, _ value: String, _ remark: String) -> Void) throws {
    print()
    row("one call under load of two threads", "ns, p50", "p90, p99, p99.9, most")
    for (name, patches) in [
      ("not patched", []), ("patched, one Lua state", [patch]),
      ("a parallel patch", ["patch { parallel = true }\n" + patch]),
    ] {
      try Benchmarks.patched(patches) {
        _ = times()
        let times = times()
        func percentile(_ share: Double) -> String {
          String(times[Int(Double(times.count - 1) * share)])
        }
        row(
          name, percentile(0.5),
          [0.9, 0.99, 0.999, 1].map(percentile).joined(separator: ", "))
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
