// SPDX-License-Identifier: MIT

// A module that is built for library evolution, of which no symbol shows it: its public types have no public members.

public struct One<T> { var held: T }
public struct Two<T> {
  var held: T
  var count: Int
}
public struct Fixed<T> { var held: Cell }
public struct Nothing<T> {}
/// Nothing that returns it tells how it travels.
public struct Unmade<T> { var held: T }

final class Cell {}

public func one(_ number: Int) -> One<Int> { One(held: number) }
public func two(_ number: Int) -> Two<Int> { Two(held: number, count: number + 1) }
public func two(_ text: String) -> Two<String> { Two(held: text, count: 1) }
public func fixed() -> Fixed<Int> { Fixed(held: Cell()) }
public func nothing() -> Nothing<String> { Nothing() }
public func unmade<T>(_ value: T) -> Unmade<T> { Unmade(held: value) }

public func total(_ one: One<Int>) -> Int { one.held }
public func total(_ two: Two<Int>, _ other: Two<String>) -> Int {
  two.held + two.count + other.held.count
}
public func total(_ fixed: Fixed<Int>) -> Bool { fixed.held === fixed.held }
public func total(_ nothing: Nothing<String>, _ number: Int) -> Int { number }
public func total(_ unmade: Unmade<Int>) -> Int { unmade.held }
public func total(_ all: [Two<Int>], _ pair: (One<Int>, Int), _ maybe: One<Int>?) -> Int {
  all.reduce(0) { $0 + $1.held } + pair.0.held + pair.1 + (maybe?.held ?? 0)
}
public func change(_ one: inout One<Int>) -> Int {
  one.held += 1
  return one.held
}

extension One where T == Int {
  func plus(_ number: Int) -> One<Int> { One(held: held + number) }
  mutating func grow() -> Int {
    held += 1
    return held
  }
}
public func grown(_ number: Int) -> Int {
  var one = One(held: number).plus(1)
  return one.grow()
}
