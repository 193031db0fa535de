// SPDX-License-Identifier: MIT

public import BenchmarkTwin

/// Async functions that the benchmarks patch.
public final class Waiter: Sendable {
  public init() {}

  /// Adds, and waits for nothing.
  public func add(_ a: Int, _ b: Int) async -> Int { a &+ b }

  /// Adds a number that is waited for, and is there.
  public func addReady(_ a: Int, _ b: Int) async -> Int { await ready(a) &+ b }

  public func ready(_ number: Int) async -> Int { number }

  /// Adds when all others are there.
  public func addBehind(_ turnstile: Turnstile, _ a: Int, _ b: Int) async -> Int {
    await turnstile.pass()
    return a &+ b
  }
}
