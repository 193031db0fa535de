// SPDX-License-Identifier: MIT

import Synchronization

/// Async functions that take, keep and return closures, sync and async ones.
public final class AsyncClosures: Sendable {
  public typealias Handler = @Sendable (Int) async -> Int

  private let handler = Mutex<Handler?>(nil)

  public init() {}

  /// Calls a closure that does not wait.
  public func calls(_ number: Int, _ body: (Int) -> Int) async -> Int { body(number) + 1 }

  /// Calls a closure that does not wait and may throw.
  public func attempts(_ number: Int, _ body: (Int) throws -> Int) async rethrows -> Int {
    try body(number) + 1
  }

  /// Waits for a closure.
  public func waits(_ number: Int, _ body: (Int) async -> Int) async -> Int {
    await body(number) + 1
  }

  /// Waits for a closure that may throw, and says what it threw.
  public func tells(_ number: Int, _ body: (Int) async throws -> String) async -> String {
    do { return try await body(number) } catch { return "caught \(error)" }
  }

  /// Waits for a closure with texts and an object.
  public func talks(_ body: (String, AsyncParcel) async -> String) async -> String {
    await body("hello", AsyncParcel(7)) + "!"
  }

  /// Waits for a closure whose result is returned by address.
  public func measures(_ body: (WideRecord) async throws -> WideRecord) async throws -> Int {
    try await body(WideRecord(10)).a
  }

  /// Waits for a closure of a generic type.
  public func maps<T, U>(_ value: T, _ body: (T) async -> U) async -> U { await body(value) }

  /// Waits for a closure many times, one after the other.
  public func repeats(_ count: Int, _ body: (Int) async -> Int) async -> Int {
    var sum = 0
    for number in 0..<count { sum += await body(number) }
    return sum
  }

  /// Waits for a closure in child tasks, all at once.
  public func spreads(_ count: Int, _ body: @escaping Handler) async -> Int {
    await withTaskGroup(of: Int.self) { group in
      for number in 0..<count { group.addTask { await body(number) } }
      return await group.reduce(0, +)
    }
  }

  /// Keeps a closure for `run`.
  public func keep(_ body: @escaping Handler) { handler.withLock { $0 = body } }
  /// Waits for the closure that was kept; -1 without one.
  public func run(_ number: Int) async -> Int {
    guard let body = handler.withLock({ $0 }) else { return -1 }
    return await body(number)
  }
  /// Lets go of the closure that was kept.
  public func forget() { handler.withLock { $0 = nil } }

  /// A closure that waits once.
  public func adder(_ amount: Int) -> Handler {
    { number in
      await Task.yield()
      return number + amount
    }
  }

  /// A closure that throws after one wait, returned by an async function.
  public func failing() async -> @Sendable (Int) async throws -> Int {
    { number in
      await Task.yield()
      if number < 0 { throw BankError.insufficient(number) }
      return number
    }
  }

  /// A closure that does not wait, returned by an async function.
  public func plain(_ amount: Int) async -> @Sendable (Int) -> Int { { $0 + amount } }

  /// Waits for a closure that belongs to the main actor.
  public func onMain(_ body: @MainActor (Int) async -> Int) async -> Int { await body(1) }
}
