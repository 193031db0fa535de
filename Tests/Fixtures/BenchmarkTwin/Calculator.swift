// SPDX-License-Identifier: MIT

/// The patchable fixture's calculator as it is without implicit dynamic.
public final class Calculator {
  private var additions = 0

  public init() {}

  /// Adds.
  @inline(never)
  public func add(_ a: Int, _ b: Int) -> Int {
    additions &+= 1
    return a &+ b
  }
}
