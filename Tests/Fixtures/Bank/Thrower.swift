// SPDX-License-Identifier: MIT

/// Functions whose overrides fail in every way.
public final class Thrower {
  public struct Refusal: Error {}

  public init() {}

  public func attempt(_ number: Int) throws -> Int {
    if number < 0 { throw Refusal() }
    return number
  }

  public func grow(_ number: inout Int) { number += 1 }

  public func shrink(_ number: Int) -> Int { number - 1 }
}
