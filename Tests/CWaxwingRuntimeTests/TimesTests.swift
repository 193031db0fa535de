// SPDX-License-Identifier: MIT

import CWaxwingRuntime
import Expectations
import Foundation
import Testing

/// The histogram of how long calls take.
struct TimesTests {
  /// What is around each power of two, and each eighth of it.
  private static let times: [UInt64] = {
    var times: [UInt64] = [0, UInt64.max]
    for power in 4..<64 {
      for part in UInt64(0)..<8 {
        let start: UInt64 = 1 << UInt64(power)
        let time: UInt64 = start + (start / 8) * part
        times += [time - 1, time, time + 1]
      }
    }
    return times
  }()

  @Test func `a time is above the end of the bucket before its own, and not above that of its own`()
  {
    for time in Self.times {
      let bucket = wax_runtime_times_bucket(time)
      let end = wax_runtime_times_bucket_end(bucket)
      let before = bucket == 0 ? 0 : wax_runtime_times_bucket_end(bucket - 1)
      #expect(time <= end)
      #expect(time == 0 || time > before, "\(time)")
    }
  }

  @Test func `a bucket is no wider than an eighth of where it begins`() {
    for bucket in 17..<(Int(WAX_RUNTIME_TIMES_BUCKETS) - 1) {
      let start = wax_runtime_times_bucket_end(bucket - 1)
      let width = wax_runtime_times_bucket_end(bucket) - start
      #expect(width > 0 && width * 8 <= start, "bucket \(bucket)")
    }
    let last = Int(WAX_RUNTIME_TIMES_BUCKETS) - 1
    let longest: UInt64 = 1 << 41
    expectEqual(wax_runtime_times_bucket_end(last), UInt64.max)
    expectEqual(wax_runtime_times_bucket_end(last - 1), longest)
    expectEqual(wax_runtime_times_bucket(UInt64.max), last)
  }

  @Test func `powers of two are ends of buckets, so that they can be told apart`() {
    for power in UInt64(0)...41 {
      let time: UInt64 = 1 << power
      expectEqual(wax_runtime_times_bucket_end(wax_runtime_times_bucket(time)), time)
    }
  }
}
