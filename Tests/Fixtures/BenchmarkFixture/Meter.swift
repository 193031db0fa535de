// SPDX-License-Identifier: MIT

/// What a delegate is asked for.
public protocol Adding: AnyObject {
  func sum(_ a: Int, _ b: Int) -> Int
}

/// A class that a patch makes a subclass of.
open class Meter {
  private var additions = 0

  public init() {}

  /// Adds.
  open func add(_ a: Int, _ b: Int) -> Int {
    additions &+= 1
    return a &+ b
  }

  /// A patch makes another object.
  public static func make() -> Meter { Meter() }
}

/// The program's own delegate.
public final class Adder: Adding {
  public init() {}
  public func sum(_ a: Int, _ b: Int) -> Int { a &+ b }
}

extension Meter {
  /// Adds up by calls through the vtable.
  public static func addMany(_ meter: Meter, _ count: Int) -> Int {
    var sum = 0
    for i in 0..<count { sum &+= meter.add(i, 2) }
    return sum
  }

  /// Adds up by calls through a witness table; nil: the object is no delegate.
  public static func addMany(delegate: AnyObject, _ count: Int) -> Int? {
    guard let adding = delegate as? any Adding else { return nil }
    var sum = 0
    for i in 0..<count { sum &+= adding.sum(i, 2) }
    return sum
  }
}
