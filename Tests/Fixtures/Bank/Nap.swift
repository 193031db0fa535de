// SPDX-License-Identifier: MIT

import Glibc

/// A method that takes its time.
public final class Nap {
  public init() {}

  public func rest(_ milliseconds: Int) -> String {
    var spent = 0.0
    let start = clock()
    while Int(spent) < milliseconds { spent = Double(clock() - start) / 1000 }
    return "original"
  }

  public func work(rounds: Int) -> String { "original" }

  /// Counts to a number: some ten million a second without optimization.
  public func count(to end: Int) -> Int {
    var sum = 0
    for number in 0..<end { sum ^= number }
    return sum
  }
}
