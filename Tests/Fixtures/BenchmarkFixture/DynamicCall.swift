// SPDX-License-Identifier: MIT

/// What a call of a dynamic function takes that is not patched.
public enum DynamicCall {
  /// Nanoseconds, the best of some.
  public static func time() -> Double {
    let calculator = Calculator()
    let count = 5_000_000
    var best = Double.infinity
    for _ in 0..<5 {
      var sum = 0
      let duration = ContinuousClock().measure {
        for number in 0..<count { sum &+= calculator.add(sum & 7, number) }
      }
      precondition(sum != 1)
      let (seconds, attoseconds) = duration.components
      best = min(best, (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(count))
    }
    return best
  }
}
