// SPDX-License-Identifier: MIT

import Synchronization

/// What hostile overrides are tried on.
public final class Prey {
  public struct Complaint: Error {}

  /// How often originals have run.
  public final class Calls: Sendable {
    private let number = Mutex(0)
    public var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
  }

  public let calls = Calls()
  public var small: Int8 = 5
  public var unsigned: UInt = 7

  public init() {}

  public func number(_ number: Int) -> Int {
    calls.add()
    return 1000
  }

  public func other(_ number: Int) -> Int { 2000 }

  public func table() -> [String: Int] { ["original": 1] }

  public func anything() -> Any { "original" }

  public func list() -> [Int] { [1] }

  public func text(_ which: Int) -> String { "original" }

  public func refuse(_ number: Int) throws -> Int { 1000 }

  public func typed(_ number: Int) throws(Complaint) -> Int { 1000 }
}
