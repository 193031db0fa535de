// SPDX-License-Identifier: MIT

// Values whose indices or order no copy by way of Lua has.

public func bounds(_ slice: ArraySlice<Int>) -> [Int] { [slice.startIndex, slice.endIndex] }
public func tail(_ slice: ArraySlice<Int>) -> ArraySlice<Int> { slice.dropFirst() }
public func rest(_ text: Substring) -> Substring { text.dropFirst() }
public func place(_ part: Substring, in text: String) -> Int {
  text.distance(from: text.startIndex, to: part.startIndex)
}
public func keys(_ counts: [String: Int]) -> [String] { Array(counts.keys) }
public func members(_ names: Set<String>) -> [String] { Array(names) }
public func same(_ counts: [String: Int]) -> [String: Int] { counts }
public func halves(_ slice: ArraySlice<Int>) -> (ArraySlice<Int>, ArraySlice<Int>) {
  let middle = (slice.startIndex + slice.endIndex) / 2
  return (slice[..<middle], slice[middle...])
}
public func parts(_ text: Substring) -> [Substring] { text.split(separator: ",") }
public func maybe(_ text: Substring?) -> Substring? { text?.dropFirst() }
public func advance(_ text: inout Substring) { text = text.dropFirst() }
public func anyKeys(_ value: Any) -> [String] {
  (value as? [String: Any]).map { Array($0.keys) } ?? []
}

extension Substring {
  public func placed(in text: String) -> Int {
    text.distance(from: text.startIndex, to: startIndex)
  }
  public mutating func skipOne() { self = dropFirst() }
}
