// SPDX-License-Identifier: MIT

/// Calls a function that it was given, again and again. For one thread.
public enum Keeper {
  nonisolated(unsafe) private static var function: (Int, Int) -> Int = { $0 &- $1 }

  public static func keep(_ function: @escaping (Int, Int) -> Int) { self.function = function }

  /// The sum of what it makes of so many numbers and two.
  public static func addMany(_ count: Int) -> Int {
    var sum = 0
    for number in 0..<count { sum &+= function(number, 2) }
    return sum
  }
}
