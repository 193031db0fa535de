// SPDX-License-Identifier: MIT

// Values with storage of their own, which a copy by way of Lua has not.

public final class Storehouse {
  public private(set) var numbers: [Int] = []
  public init(_ numbers: [Int] = []) { self.numbers = numbers }

  public func integers(_ value: [Int]) -> [Int] { value }
  public func decimals(_ value: [Double]) -> [Double] { value }
  public func flags(_ value: [Bool]) -> [Bool] { value }
  public func bytes(_ value: [UInt8]) -> [UInt8] { value }
  public func texts(_ value: [String]) -> [String] { value }
  public func cells(_ value: [Cell]) -> [Cell] { value }
  public func purses(_ value: [Purse]) -> [Purse] { value }
  public func rows(_ value: [[Int]]) -> [[Int]] { value }
  public func counts(_ value: [Int: [Int]]) -> [Int: [Int]] { value }
  public func text(_ value: String) -> String { value }
  public func maybe(_ value: [String]?) throws -> [String]? { value }
  public func pair(_ value: [Int], _ text: String) -> ([Int], String) { (value, text) }
  public func any(_ value: Any) -> Any { value }
  public func later(_ value: [Int], _ text: String) async -> ([Int], String) { (value, text) }
  public func textLater(_ value: String) async -> String { value }
  public func kept<Value>(_ value: Value) -> Value { value }
  public func two(_ first: [Int], _ second: [Int]) -> ([Int], [Int]) { (first, second) }
  public func twoTexts(_ first: String, _ second: String) -> String { first + "," + second }
}

/// Whether the storage is the one that there was.
public func grow(_ numbers: inout [Int], _ text: inout String, isLast: Bool) throws -> Bool {
  let place = numbers.withUnsafeBufferPointer { $0.baseAddress }
  numbers.append(1)
  text += "!"
  if isLast { throw Refused(after: numbers.count) }
  return numbers.withUnsafeBufferPointer { $0.baseAddress } == place
}

public struct Shelf {
  public var numbers: [Int] = []
  public init() {}

  /// Whether the storage is the one that there was.
  public mutating func add(_ number: Int) -> Bool {
    let place = numbers.withUnsafeBufferPointer { $0.baseAddress }
    numbers.append(number)
    return numbers.withUnsafeBufferPointer { $0.baseAddress } == place
  }
}

/// Appends what `body` makes of the numbers 1 to 3.
public func gather(_ numbers: inout [Int], _ body: ([Int]) -> [Int]) {
  for number in 1...3 { numbers.append(contentsOf: body([number])) }
}

/// Whether the storage is the one that there was.
public func stack(_ shelf: inout Shelf, _ number: Int) -> Bool { shelf.add(number) }
