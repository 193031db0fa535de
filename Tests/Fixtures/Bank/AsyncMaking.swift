// SPDX-License-Identifier: MIT

/// A class whose initializers are async.
open class AsyncMachine: @unchecked Sendable {
  public let power: Int
  public let parcel: AsyncParcel

  /// Waits once on the way.
  public init(power: Int) async {
    await Task.yield()
    self.power = power
    parcel = AsyncParcel(power)
  }

  /// Fails by an error.
  public init(checked power: Int) async throws {
    if power < 0 { throw BankError.insufficient(power) }
    await Task.yield()
    self.power = power
    parcel = AsyncParcel(power)
  }

  /// Fails by nil.
  public init?(maybe power: Int) async {
    if power < 0 { return nil }
    self.power = power
    parcel = AsyncParcel(power)
  }

  /// Calls another initializer.
  public convenience init(doubled power: Int) async { await self.init(power: power * 2) }
}

/// A subclass, which calls the superclass's initializer.
public final class AsyncEngine: AsyncMachine, @unchecked Sendable {
  public var label = "engine"

  public init(turbo power: Int) async { await super.init(power: power + 1000) }
}

/// A struct whose initializers are async.
public struct AsyncReading: Equatable, Sendable {
  public var value: Int
  public var unit: String

  public init(value: Int) async {
    await Task.yield()
    self.value = value
    unit = "V"
  }

  public init(checked value: Int) async throws {
    if value < 0 { throw BankError.closed }
    self.value = value
    unit = "A"
  }
}

/// An actor whose initializer is async: it is isolated once all is initialized.
public actor AsyncPlant {
  public private(set) var output: Int

  public init(output: Int) async {
    self.output = output
    await Task.yield()
    self.output += 1
  }

  /// A sync initializer of an actor.
  public init(fixed output: Int) { self.output = output }
}

/// What makes the things above, for callers in Swift.
public enum AsyncMaker {
  public static func machine(_ power: Int) async -> Int { await AsyncMachine(power: power).power }
  public static func engine(_ power: Int) async -> Int { await AsyncEngine(turbo: power).power }
  public static func checked(_ power: Int) async throws -> Int {
    try await AsyncMachine(checked: power).power
  }
  public static func reading(_ value: Int) async -> AsyncReading {
    await AsyncReading(value: value)
  }
  public static func plant(_ output: Int) async -> Int { await AsyncPlant(output: output).output }
}
