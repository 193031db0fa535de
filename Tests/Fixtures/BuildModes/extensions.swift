// SPDX-License-Identifier: MIT

import Glibc

// Methods of types whose values are Lua's own, where nothing tells what they do with `self`.

final class Cell {
  let number: Int
  init(_ number: Int) { self.number = number }
}

extension String {
  func shout() -> String { uppercased() + "!" }
  consuming func owned() -> String { self + "?" }
}

extension Array where Element == Int {
  func total() -> Int { reduce(0, +) }
}

extension Array {
  func second() -> Element? { count > 1 ? self[1] : nil }
  consuming func doubled() -> [Element] { self + self }
}

extension Optional where Wrapped == String {
  func orEmpty() -> String { self ?? "" }
}

extension Optional {
  consuming func owned() -> Wrapped? { self }
}

extension Dictionary {
  func size() -> Int { count }
}

extension Substring {
  func length() -> Int { count }
}

setvbuf(stdout, nil, Int32(_IOLBF), 0)
while readLine() != nil {
  let long = "a string of more than fifteen bytes"
  print("abc".shout(), long.shout(), (long + "x").owned(), [1, 2].total())
  print([long, "b"].second() ?? "", [Cell(1), Cell(2)].second()?.number ?? 0)
  print([Cell(1), Cell(2)].doubled().map(\.number), [{ 1 }, { 2 }].second()?() ?? 0)
  print(Optional(long).orEmpty(), String?.none.orEmpty(), [long: 1, "b": 2].size())
  print([1.5, .nan].second()?.isNaN ?? false, [Float.nan].second() == nil)
  print(
    Optional(long).owned() ?? "", Optional([long]).owned() ?? [],
    Optional(Cell(3)).owned()?.number ?? 0)
  print(long.dropFirst(2).length(), "--")
}
