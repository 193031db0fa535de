// SPDX-License-Identifier: MIT

// What a mutating function has done to `self` stays, whatever else happens.

public struct Refused: Error, Equatable {
  public let after: Int
  public init(after: Int) { self.after = after }
}

public struct Purse {
  public var coins: Int
  public var log: [String] = []
  public init(coins: Int) { self.coins = coins }

  /// Takes one coin, then throws.
  public mutating func spend(_ amount: Int) throws -> Int {
    coins -= 1
    log.append("spend \(amount)")
    if amount > coins { throw Refused(after: coins) }
    coins -= amount
    return coins
  }

  public mutating func spendLater(_ amount: Int) async throws -> Int {
    coins -= 1
    await Task.yield()
    if amount > coins { throw Refused(after: coins) }
    coins -= amount
    return coins
  }
}

extension Array where Element == Int {
  public mutating func unqueue() -> Int? { isEmpty ? nil : removeFirst() }
  public mutating func unqueueTwo(into other: inout [Int]) throws -> Int {
    guard count >= 2 else {
      if !isEmpty { other.append(removeFirst()) }
      throw Refused(after: count)
    }
    other.append(removeFirst())
    other.append(removeFirst())
    return count
  }
  public var front: Int {
    get { first ?? 0 }
    set { if isEmpty { append(newValue) } else { self[0] = newValue } }
  }
  public subscript(wrapped index: Int) -> Int {
    get { self[index % count] }
    set { self[index % count] = newValue }
  }
}

extension String {
  public mutating func clamour() { self = uppercased() + "!" }
  public var clamoured: String { uppercased() + "!" }
  public static var loudestCry: String { "AAA" }
}

extension Int {
  public mutating func doubleUp() { self *= 2 }
  public func threefold() -> Int { self * 3 }
}

public protocol Measured {
  var length: Int { get }
}

extension Measured {
  public func twofold() -> Int { length * 2 }
}

extension String: Measured {
  public var length: Int { count }
}
