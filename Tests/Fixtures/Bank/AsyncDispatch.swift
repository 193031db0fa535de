// SPDX-License-Identifier: MIT

/// Requirements that are async, called through `any AsyncClerk`.
public protocol AsyncClerk: Sendable {
  func serve(_ number: Int) async -> String
  func price(_ number: Int) async throws -> Int
  var grade: String { get async }
  static func hire(_ number: Int) async -> String
  /// Has a default implementation.
  func greet(_ name: String) async -> String
}

extension AsyncClerk {
  public func greet(_ name: String) async -> String { "welcome \(name)" }
}

/// A class that implements them.
public final class AsyncCashier: AsyncClerk {
  public init() {}
  public func serve(_ number: Int) async -> String {
    await Task.yield()
    return "cashier \(number)"
  }
  public func price(_ number: Int) async throws -> Int {
    if number < 0 { throw BankError.insufficient(number) }
    return number * 2
  }
  public var grade: String { get async { "first" } }
  public static func hire(_ number: Int) async -> String { "cashiers \(number)" }
}

/// A struct that implements them, the last with its own.
public struct AsyncTerminal: AsyncClerk {
  public let name: String
  public init(name: String) { self.name = name }
  public func serve(_ number: Int) async -> String { "\(name) \(number)" }
  public func price(_ number: Int) async throws -> Int { number * 3 }
  public var grade: String { get async { "machine" } }
  public static func hire(_ number: Int) async -> String { "terminals \(number)" }
  public func greet(_ name: String) async -> String { "\(self.name) greets \(name)" }
}

/// An actor that implements them.
public actor AsyncVaultKeeper: AsyncClerk {
  private var served = 0
  public init() {}
  public func serve(_ number: Int) async -> String {
    preconditionIsolated()
    served += 1
    await Task.yield()
    preconditionIsolated()
    return "keeper \(number) of \(served)"
  }
  public func price(_ number: Int) throws -> Int {
    preconditionIsolated()
    if number < 0 { throw BankError.closed }
    return number * 4
  }
  public var grade: String { "keeper" }
  public static func hire(_ number: Int) async -> String { "keepers \(number)" }
}

/// Calls the requirements by the protocol's table.
public enum AsyncCounter {
  public static func serve(_ clerk: any AsyncClerk, _ number: Int) async -> String {
    await clerk.serve(number)
  }
  public static func price(_ clerk: any AsyncClerk, _ number: Int) async throws -> Int {
    try await clerk.price(number)
  }
  public static func grade(_ clerk: any AsyncClerk) async -> String { await clerk.grade }
  public static func greet(_ clerk: any AsyncClerk) async -> String { await clerk.greet("Ada") }
  public static func hire<C: AsyncClerk>(_ type: C.Type) async -> String { await type.hire(3) }
  /// Calls by a generic parameter.
  public static func generic<C: AsyncClerk>(_ clerk: C, _ number: Int) async -> String {
    await clerk.serve(number) + " " + clerk.grade
  }
}

/// A line of classes whose async methods override one another.
open class AsyncRunner: @unchecked Sendable {
  public init() {}
  /// Only the last class does not override it.
  open func run(_ distance: Int) async -> String { "runner \(distance)" }
  /// Only the subclass in the middle overrides it.
  open func rest(_ minutes: Int) async throws -> Int {
    if minutes < 0 { throw BankError.insufficient(minutes) }
    return minutes
  }
  /// Nobody overrides it.
  public func untouched(_ distance: Int) async -> String { await run(distance) + "." }
  open var pace: Int { get async { 5 } }
  open class func team(_ number: Int) async -> String { "runners \(number)" }
}

open class AsyncSprinter: AsyncRunner, @unchecked Sendable {
  override open func run(_ distance: Int) async -> String {
    await "sprinter+" + super.run(distance)
  }
  override open func rest(_ minutes: Int) async throws -> Int {
    try await super.rest(minutes) * 2
  }
  override open var pace: Int { get async { await super.pace - 2 } }
  override open class func team(_ number: Int) async -> String {
    await "fast " + super.team(number)
  }
}

public final class AsyncHurdler: AsyncSprinter, @unchecked Sendable {
  override public func run(_ distance: Int) async -> String {
    await Task.yield()
    return await "hurdler+" + super.run(distance)
  }
}
