// SPDX-License-Identifier: MIT

/// Keeps a closure, and calls it where nobody can catch its errors.
public final class ClosureKeeper {
  private var kept: (Int) -> Int = { $0 }

  public init() {}

  public func prepare() -> Int { 0 }

  public func keep(_ closure: @escaping (Int) -> Int) { kept = closure }

  public func call(_ number: Int) -> Int { kept(number) }
}
