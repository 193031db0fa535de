// SPDX-License-Identifier: MIT

/// A line of classes, of which each overrides what the one above has.
open class Animal {
  public var notes = ""
  public var place = Spot(x: 1, y: 2)
  public let food: String

  public init(food: String) { self.food = "Animal" + food }

  /// Only the two classes below override it.
  open func info() -> String { "Animal" }
  open func meal() -> String { food }
  /// Calls what subclasses override.
  open func sentence() -> String { "[" + word() + "]" }
  open func word() -> String { "animal" }
  open func count(_ n: Int) -> String { "0" }
  open func untouched() -> String { "same" }
  open var title: String {
    get { "the " + notes }
    set { notes = newValue }
  }
  public var extent: (width: Int, height: Int) { (notes.count, 7) }
  /// A stored property that a subclass observes.
  open var age = 1

  open class func group() -> String { "animals" }
  nonisolated(unsafe) public static var favourite = Spot(x: 0, y: 0)
  nonisolated(unsafe) public static var pair: (Int, String) = (7, "seven")
}

open class Deer: Animal {
  open override func info() -> String { "Deer" }
  open override func sentence() -> String { "deer " + super.sentence() }
  open override func word() -> String { "deer" }
  open override func count(_ n: Int) -> String { super.count(n) + "1" }
  open override var title: String {
    get { "deer " + super.title }
    set { super.title = newValue + "!" }
  }
  open override var age: Int {
    didSet { notes += "\(oldValue)>\(age) " }
  }
  open func ears() -> Int { 2 }
  open override class func group() -> String { "deer" }
}

public final class Bambi: Deer {
  public override func info() -> String { "Bambi" }
  public override func meal() -> String { super.meal() + "?" }
  public override func word() -> String { "bambi" }
  public override func count(_ n: Int) -> String { super.count(n) + "2" }
}

/// Beside `Deer`.
public final class Rabbit: Animal {
  public override func word() -> String { "rabbit" }
}

/// For scripts to do something with an animal.
public func meetAnimal(_ animal: Animal) -> String { "baseline" }
