// SPDX-License-Identifier: MIT

import Synchronization

/// An object that notes how long it outlived its last use: in objects that were made meanwhile.
open class Mayfly {
  public struct Record: Sendable {
    public var made = 0
    public var died = 0
    public var greatestLag = 0
    public var totalLag = 0
    public var alive: Int { made - died }
    public init(made: Int = 0) { self.made = made }
  }

  public static let record = Mutex(Record())

  public let number: Int
  public var name: String
  public var other: Mayfly?
  public weak var neighbour: Mayfly?

  public init(name: String) {
    self.name = name
    number = Self.record.withLock { record in
      record.made += 1
      return record.made
    }
  }

  deinit {
    Self.record.withLock { record in
      let lag = record.made - number
      record.died += 1
      record.greatestLag = max(record.greatestLag, lag)
      record.totalLag += lag
    }
  }

  open class func hatch(name: String) -> Mayfly { Mayfly(name: name) }
  open class func hatchBig(name: String) -> Mayfly { BigMayfly(name: name) }
  open func rest() -> Int { number }
  open func meet(_ other: Mayfly) -> String { "\(name) meets \(other.name)" }
  open func same(_ other: Mayfly?) -> Mayfly? { other }
  public func swarm() -> Int { 0 }
}

/// Has members of its own.
public final class BigMayfly: Mayfly {
  public var weight = 1.5
  override public func rest() -> Int { super.rest() + 1000 }
}

/// Calls a method of its own when it dies, and says what that answered.
public final class Swan: @unchecked Sendable {
  public static let songs = Mutex<[String]>([])
  public let name: String
  public init(name: String) { self.name = name }
  deinit {
    let song = sing()
    Self.songs.withLock { $0.append(song) }
  }
  public func sing() -> String { "a song" }
  public func swim() -> String { "swims" }
}

/// A value with an object in it.
public struct Cocoon {
  public var size: Int
  public var content: Mayfly
  public init(size: Int, content: Mayfly) {
    self.size = size
    self.content = content
  }
  public func weigh() -> Int { size }
}

/// Passes objects on.
public final class Keeper {
  public var kept: Mayfly?
  public init() {}
  public func echo(_ mayfly: Mayfly) -> Mayfly { mayfly }
  public func open(_ cocoon: Cocoon) -> Cocoon { cocoon }
  public func ask() -> String { "" }
  public func fail(_ number: Int) throws -> Int { throw BankError.insufficient(number) }
}

extension Mayfly {
  /// Calls `rest` while it runs, and after it has waited.
  public func doze(_ count: Int) async -> Int {
    var sum = 0
    for _ in 0..<count {
      sum += rest()
      await Task.yield()
    }
    return sum
  }
}
