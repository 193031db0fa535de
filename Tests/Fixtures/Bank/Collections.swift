// SPDX-License-Identifier: MIT

/// A collection without a `count` of its own: `Collection` has it.
public struct Countdown: Collection, Equatable {
  let from: Int
  public init(from: Int) { self.from = from }
  public var startIndex: Int { 0 }
  public var endIndex: Int { from }
  public func index(after index: Int) -> Int { index + 1 }
  public subscript(index: Int) -> Int { from - index }
}

/// A generic one, whose elements are of any size.
public struct Pairwise<Element>: Collection {
  let elements: [Element]
  public init(_ elements: [Element]) { self.elements = elements }
  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count * 2 }
  public func index(after index: Int) -> Int { index + 1 }
  public subscript(index: Int) -> Element { elements[index / 2] }
}

public struct Lengths {
  public let name: String
  public init(_ name: String) { self.name = name }
  public func ofCountdown(_ value: Countdown) -> Int { -1 }
  public func ofPairwise(_ value: Pairwise<String>) -> Int { -1 }
  public func ofReversed(_ value: ReversedCollection<[Int]>) -> Int { -1 }
  public func ofPlain(_ value: Lengths) -> Int { -1 }
}
