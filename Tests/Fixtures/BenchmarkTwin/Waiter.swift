// SPDX-License-Identifier: MIT

/// The patchable fixture's waiter as it is without implicit dynamic.
public final class Waiter: Sendable {
  public init() {}

  /// Adds, and waits for nothing.
  @inline(never)
  public func add(_ a: Int, _ b: Int) async -> Int { a &+ b }

  /// Adds a number that is waited for, and is there.
  @inline(never)
  public func addReady(_ a: Int, _ b: Int) async -> Int { await ready(a) &+ b }

  @inline(never)
  public func ready(_ number: Int) async -> Int { number }

  /// Adds when all others are there.
  @inline(never)
  public func addBehind(_ turnstile: Turnstile, _ a: Int, _ b: Int) async -> Int {
    await turnstile.pass()
    return a &+ b
  }
}
