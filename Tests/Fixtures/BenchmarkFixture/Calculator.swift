// SPDX-License-Identifier: MIT

/// What the benchmarks patch, compiled as users compile what they want to patch.
public final class Calculator {
  private var additions = 0

  public init() {}

  /// Adds.
  public func add(_ a: Int, _ b: Int) -> Int {
    additions &+= 1
    return a &+ b
  }

  /// Two.
  public func two() -> Int { 2 }

  /// Adds the first and the last.
  public func mix(
    _ a: Int, _ b: Double, _ c: Bool, _ text: String, _ other: Calculator, _ d: Int
  ) -> Int {
    a &+ d
  }

  /// Gives the text back.
  public func echo(_ text: String) -> String { text }

  /// Gives the numbers back.
  public func pass(_ numbers: [Int]) -> [Int] { numbers }
}
