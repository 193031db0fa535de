// SPDX-License-Identifier: MIT

// Members of every kind, by what they do with `self`. No two have the same code, or the optimizer
// would merge them; `Merged` has those that it may.

public final class Counter {
  public var count = 0
  public init() {}
}

public struct Members {
  var text = "a"
  var counter = Counter()

  public func plain(_ number: Int) -> Int { text.utf8.count &+ number }
  public borrowing func borrows() -> Int { counter.count &* 3 }
  public mutating func mutates() { text += "m" }
  public consuming func consumes() -> String { text + "c" }
  public consuming func consumesItself() -> Members { self }
  public consuming
    func consumesOnTwoLines(
      _ number: Int
    ) -> Int
  { counter.count &- number }

  public func asyncPlain() async -> Int { text.utf8.count &* 5 }
  public mutating func asyncMutates() async { text += "async" }
  public consuming func asyncConsumes() async throws -> String { text + "ac" }

  public var computed: Int {
    get { counter.count &* 7 }
    set { text += "\(newValue)" }
  }
  public var changedByReading: Int {
    mutating get {
      text += "g"
      return text.utf8.count
    }
  }
  public var setThrough: Int {
    get { counter.count &* 11 }
    nonmutating set { counter.count = newValue }
  }
  public var consumedByReading: String {
    consuming get { String(text.reversed()) }
  }
  public var failing: Int {
    get throws { counter.count &* 13 }
  }
  public lazy var late: String = text + "l"
  public var observed = 0 {
    didSet { text = String(text.dropFirst(oldValue)) }
  }

  public subscript(both index: Int) -> Int {
    mutating get {
      text += "s"
      return index
    }
    nonmutating set { counter.count = newValue &+ index }
  }
  public subscript(plain index: Int) -> Int { counter.count &+ index }

  public static func shared(_ number: Int) -> Int { number &* 17 }
  public static func < (left: Members, right: Members) -> Bool { left.text < right.text }

  private mutating func hiddenMutates() { text += "hidden" }
  fileprivate consuming func hiddenConsumes() -> String { text + "hidden" }

  @inline(never) public func usesHidden() -> Int {
    var copy = self
    copy.hiddenMutates()
    return copy.hiddenConsumes().utf8.count
  }
}

/// Passed by address.
public struct Large {
  var first = "1"
  var second = "2"
  var third = "3"

  public func plain() -> String { first + second }
  public mutating func mutates() { third += "x" }
  public consuming func consumes() -> String { second + third }
}

public enum Choice {
  case one(String)
  case two([Int])
  case neither

  public func plain() -> Bool { if case .neither = self { true } else { false } }
  public mutating func mutates() { self = .one("m") }
  public consuming func consumes() -> String { if case .one(let text) = self { text } else { "" } }
}

public struct Generic<Element> {
  var elements: [Element]

  public func plain() -> Element? { elements.last }
  public mutating func mutates(_ element: Element) { elements.append(element) }
  public consuming func consumes() -> [Element] { elements + elements }

  public struct Inner {
    var element: Element

    public mutating func mutates(_ element: Element) { self.element = element }
    public consuming func consumes() -> Element { element }
  }
}

extension Generic where Element == Int {
  public consuming func consumesIntegers() -> Int { elements.reduce(0, &+) }
}

public struct Unique: ~Copyable {
  var text = "u"

  public borrowing func borrows() -> Int { text.utf8.count &* 19 }
  public mutating func mutates() { text += "u" }
  public consuming func consumes() -> String { text + "uc" }
}

extension Array where Element == Int {
  public func plainTotal() -> Int { reduce(1, &+) }
  public mutating func mutatesLast() { removeLast() }
  public consuming func consumesAll() -> Int { count &* 23 }
}

extension String {
  public consuming func consumesText() -> String { self + "s" }
}

public protocol Shaped {
  var size: Int { get }
}

extension Shaped {
  public func plainSize() -> Int { size &* 29 }
  public mutating func mutatesSize(_ other: Self) { self = other }
  public consuming func consumesSize() -> Int { size &* 31 }
}

public class Base {
  public init() {}
  public func plain() -> Int { 37 }
  public consuming func consumes() -> Int { 41 }
  public var computed: Int {
    get { 43 }
    set { precondition(newValue != 47) }
  }
}

/// What the optimizer merges has no debugging information, and the modules tell.
public struct Merged {
  var text = "a"

  public mutating func mutates() { text += "same" }
  public mutating func mutatesAlike() { text += "same" }
  public consuming func consumes() -> String { text + "alike" }
  public consuming func consumesAlike() -> String { text + "alike" }
}

/// Whose functions only debugging information tells of.
public func usesLocal(_ text: String) -> Int {
  struct Local {
    var text: String

    @inline(never) mutating func mutates() { text += "local" }
    @inline(never) consuming func consumes() -> Int { text.utf8.count &* 53 }
  }
  var local = Local(text: text)
  local.mutates()
  return local.consumes()
}
