// SPDX-License-Identifier: MIT

// What is called here is called by members that belong to a type of another module.

import Base

public protocol Kept {
  static func run(_ timer: Timer, _ unused: Int) -> Int
}
extension Timer: Kept {
  @inline(never) public static func run(_ timer: Timer, _ unused: Int) -> Int {
    later(timer)
    return 5
  }
  /// The optimiser puts the timer on the stack.
  @inline(never) public func local() -> Int {
    later(Timer(Noted()))
    return 1
  }
  @inlinable public static func measure<T>(
    label: String, body: @escaping () throws -> T
  ) rethrows -> T { try measure(with: Timer(Noted()), body: body) }
  @inlinable public static func measure<T>(
    other: String, body: @escaping () throws -> T
  ) rethrows -> T { try measure(with: Timer(Noted()), body: body) }
  /// Its callers leave out what it does not use: the type that it is called on, and `T`.
  @inlinable static func measure<T>(
    with timer: Timer, body: @escaping () throws -> T
  ) rethrows -> T {
    let start = counted()
    defer { timer.handler.take(counted() - start) }
    return try body()
  }
}
@usableFromInline nonisolated(unsafe) var count = 0
@inline(never) public func counted() -> Int {
  count += 1
  return count
}
@inline(never) func later(_ timer: Timer) { timer.handler.take(3) }
