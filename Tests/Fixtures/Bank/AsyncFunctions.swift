// SPDX-License-Identifier: MIT

import Synchronization

/// A free function.
public func asyncFee(_ amount: Int) async -> Int { amount / 100 }

/// A free function that throws after one wait.
public func asyncFeeChecked(_ amount: Int) async throws -> Int {
  await Task.yield()
  if amount < 0 { throw BankError.insufficient(amount) }
  return amount / 10
}

/// A free function with a generic parameter and a constraint.
public func asyncLargest<T: Comparable>(_ first: T, _ second: T) async -> T {
  first > second ? first : second
}

/// Runs in the caller's isolation, which it takes as two hidden arguments.
public nonisolated(nonsending) func asyncNearby(_ number: Int) async -> Int { number + 1 }

/// The same with a result by address, so that three words come before the first argument.
public nonisolated(nonsending) func asyncNearbyRecord(_ number: Int) async throws -> WideRecord {
  if number < 0 { throw BankError.insufficient(number) }
  return WideRecord(number)
}

/// Leaves the caller's isolation always.
@concurrent public func asyncFarAway(_ number: Int) async -> Int { number + 2 }

/// Runs where its argument says.
public func asyncOn(_ ledger: isolated AsyncLedger, _ amount: Int) async -> Int {
  ledger.preconditionIsolated()
  return ledger.add(amount)
}

/// Runs where its caller does, which the compiler fills in.
func asyncWithCaller(
  _ number: Int, isolation: isolated (any Actor)? = #isolation
) async -> String {
  isolation == nil ? "\(number) free" : "\(number) isolated"
}

/// Calls `asyncWithCaller` from no actor.
public func asyncCallsWithCaller(_ number: Int) async -> String { await asyncWithCaller(number) }

/// Values that belong to a task.
public enum AsyncContext {
  @TaskLocal public static var label = "none"
  @TaskLocal public static var depth = 0

  /// What the task at hand has.
  public static func current() async -> String { "\(label) \(depth)" }
  /// The same from a function that is not async.
  public static func currentAtOnce() -> String { "\(label) \(depth)" }
  /// The priority of the task at hand.
  public static func priority() async -> Int { Int(Task.currentPriority.rawValue) }
  /// Whether the task at hand is cancelled.
  public static func isCancelled() async -> Bool { Task.isCancelled }
  /// Throws `CancellationError` in a cancelled task.
  public static func checkCancellation() async throws { try Task.checkCancellation() }
  /// Binds a value around the call of a closure.
  public static func labelled(_ text: String, _ body: () async -> String) async -> String {
    await $label.withValue(text) { await body() }
  }
  /// Binds a value around a call of `current`.
  public static func currentLabelled(_ text: String) async -> String {
    await $label.withValue(text) { await current() }
  }
}
