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

// Extensions for classes of a protocol that structs may conform to, too.
protocol Counter { var count: Int { get set } }
class Clicker: Counter {
  var count = 1
  required init() {}
}
class Holding<T>: Counter {
  var count = 1
  let held: T
  required init(held: T) { self.held = held }
}
final class Clicks: Clicker {}

extension Counter where Self: Clicker {
  func plus(_ number: Int) -> Int { count + number }
  mutating func click(_ number: Int) -> Int {
    count += number
    if number > 1 { self = Self() }
    return count
  }
  var last: Int {
    mutating get {
      count += 1
      return count
    }
    mutating set {
      self = Self()
      count = newValue
    }
  }
}

extension Counter where Self == Clicks {
  mutating func replace() -> Int {
    self = Clicks()
    return count
  }
}

extension Counter {
  mutating func hold<T>(_ value: T) -> Int where Self: Holding<T> {
    self = Self(held: value)
    return count
  }
  mutating func holdSame<T>(_ value: T) -> T where Self == Holding<T> {
    self = Holding(held: value)
    return self.held
  }
}

// `AnyObject` fulfils `T: AnyObject` itself.
struct Owner<Owned: AnyObject> {
  let owned: Owned
  static func of(_ owned: Owned) -> Owner { Owner(owned: owned) }
  func same(_ other: Owned) -> Owned? { owned === other ? owned : nil }
}
func passed<T: AnyObject>(_ value: T) -> T { value }

// A type whose description the optimiser drops.
protocol Choice { var weight: Int { get } }
struct WideChoice: Choice {
  var numbers = [1, 2]
  var text = "wide"
  var weight: Int { numbers.count }
}
extension Choice where Self == WideChoice {
  static var wide: Self { WideChoice() }
  static func wide(_ text: String) -> Self { WideChoice(text: text) }
  func wideText(_ other: String) -> String { "\(self.text) \(other) \(self.numbers)" }
  mutating func widen() -> Int {
    self.numbers.append(3)
    return self.numbers.count
  }
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
  print(long.dropFirst(2).length())
  var clicks = Clicks()
  var holding = Holding(held: 5)
  let first = clicks
  print(clicks.plus(2), clicks.click(1), clicks.count, clicks.click(2), clicks.count, first.count)
  clicks.last = 4
  print(clicks.last, clicks.replace(), clicks === first, holding.hold(6), holding.held)
  print(holding.holdSame(7), holding.held)
  let owner = Owner<AnyObject>.of(passed(Cell(8) as AnyObject))
  print(owner.same(Cell(9)) == nil, (owner.same(owner.owned) as? Cell)?.number ?? 0)
  var (wide, other) = (WideChoice.wide, WideChoice.wide("other"))
  print(wide.widen(), other.wideText("text"), wide.wideText("long"), other.widen(), "--")
}
