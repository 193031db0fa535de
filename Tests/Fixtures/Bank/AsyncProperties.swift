// SPDX-License-Identifier: MIT

/// A class whose properties are computed by waiting.
public final class AsyncGaugeBoard: Sendable {
  public let base: Int
  public init(base: Int) { self.base = base }

  /// Waits once.
  public var level: Int {
    get async {
      await Task.yield()
      return base + 1
    }
  }

  /// Throws if the base is negative.
  public var pressure: Double {
    get async throws {
      if base < 0 { throw BankError.insufficient(base) }
      return Double(base) / 2
    }
  }

  /// Returned by address.
  public var summary: WideRecord { get async { WideRecord(base) } }

  /// A static one.
  public static var standard: Int { get async { 42 } }
  /// A static one that throws.
  public static var broken: String { get async throws { throw BankError.closed } }

  /// A subscript that waits.
  public subscript(index: Int) -> String {
    get async {
      await Task.yield()
      return "\(base):\(index)"
    }
  }

  /// A subscript with a label that throws.
  public subscript(checked index: Int) -> Int {
    get async throws {
      if index < 0 { throw BankError.insufficient(index) }
      return base + index
    }
  }
}

/// A struct with such properties.
public struct AsyncDial: Equatable, Sendable {
  public var turns: Int
  public init(turns: Int) { self.turns = turns }

  public var angle: Int { get async { turns * 360 } }
  public var limit: Int {
    get async throws {
      if turns > 9 { throw BankError.closed }
      return 9 - turns
    }
  }
  public static var zero: AsyncDial { get async { AsyncDial(turns: 0) } }
  public subscript(step: Int) -> Int { get async { turns + step } }
}

/// An actor with properties: stored, computed, and computed by waiting.
public actor AsyncTank {
  public var volume: Int
  public init(volume: Int) { self.volume = volume }

  /// Computed on the actor, without waiting.
  public var doubled: Int {
    preconditionIsolated()
    return volume * 2
  }

  /// Computed on the actor, and waits there.
  public var settled: Int {
    get async {
      preconditionIsolated()
      await Task.yield()
      preconditionIsolated()
      return volume + 1
    }
  }

  public var checked: Int {
    get async throws {
      preconditionIsolated()
      if volume < 0 { throw BankError.insufficient(volume) }
      return volume
    }
  }

  /// Not isolated.
  public nonisolated var label: String { get async { "tank" } }

  public subscript(index: Int) -> Int {
    get async {
      preconditionIsolated()
      return volume + index
    }
  }
}
