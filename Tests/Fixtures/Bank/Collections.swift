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

/// Functions with the parameters for the place of a call.
public struct Located {
  public init() {}
  public func asked(_ text: String) -> String { text }
  public func promise(_ text: String, file: StaticString = #fileID, line: UInt = #line) -> String {
    "\(text) \(file):\(line)"
  }
  public func log(
    _ text: String, file: String = #fileID, function: String = #function, line: UInt = #line
  ) -> String { "\(text) \(file):\(line) \(function)" }
  public func log(
    _ text: String, level: Int, file: String = #fileID, function: String = #function,
    line: UInt = #line
  ) -> String { "\(text) \(level) \(file):\(line) \(function)" }
  /// Not one of them: nothing is filled in.
  public func draw(_ text: String, file: String, line: Int) -> String { "\(text) \(file) \(line)" }
}

public struct Lengths {
  public let name: String
  public init(_ name: String) { self.name = name }
  public func ofCountdown(_ value: Countdown) -> Int { -1 }
  public func ofPairwise(_ value: Pairwise<String>) -> Int { -1 }
  public func ofReversed(_ value: ReversedCollection<[Int]>) -> Int { -1 }
  public func ofPlain(_ value: Lengths) -> Int { -1 }
}
