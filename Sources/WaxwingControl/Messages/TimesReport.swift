// SPDX-License-Identifier: MIT

/// How long the calls took that were measured, in milliseconds.
package struct TimesReport: Hashable, Sendable, Codable {
  /// How many there were.
  package let calls: UInt64
  /// How long all of them took together.
  package let sum: Double
  /// What half of them did not exceed.
  package let p50: Double
  /// What 99 of 100 did not exceed.
  package let p99: Double
  /// How long the longest took.
  package let longest: Double

  package init(calls: UInt64, sum: Double, p50: Double, p99: Double, longest: Double) {
    self.calls = calls
    self.sum = sum
    self.p50 = p50
    self.p99 = p99
    self.longest = longest
  }
}
