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

  /// Gives the text back.
  public func echo(_ text: String) -> String { text }
}
