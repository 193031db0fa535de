// SPDX-License-Identifier: MIT

import Glibc

// Methods of generic types, called on values that look like others: what is in an `Any?`, what keys are equal to.

extension Optional {
  func shown() -> String { "\(self == nil)" }
  func held(_ other: Wrapped?) -> Bool { (self == nil) == (other == nil) }
}
extension Dictionary {
  func peek(_ value: Value) -> Int { count }
  mutating func drop(_ value: Value) { if count > 1 { removeAll() } }
}
extension Array {
  func size(_ value: Element?) -> Int { count }
  mutating func twice(_ value: Element) { append(value) }
}
extension Set {
  func size(_ value: Element) -> Int { count }
  mutating func twice(_ value: Element) { insert(value) }
}
struct Point: Hashable { var x = 1 }
enum Side {
  case left
  case right(Int)
}
final class Cell {}

let values: [Any?] = [
  ["a": 1], [1], [Int](), Set([1]), [String: Int](), "s", 1, 1.5, true, nil, Point(), Side.right(1),
  Side.left, Cell(), (1, "t"), { (n: Int) in n + 1 }, [1: [2]], [[1]], Optional([1]) as Any,
  Int.self,
  Character("c"), "sub".dropFirst(), [1, 2].dropFirst(), 0..<3,
  [AnyHashable("a"): 1] as [AnyHashable: Any],
]
@inline(never) func optionals() -> [String] {
  values.map { $0.shown() } + [
    Optional([1]).shown(), Optional(["a": 1]).shown(), Optional(Point()).shown(),
    Optional<Set<Int>>.none.shown(), "\(values[0].held(values[1]))", "\(values[9].held([1]))",
  ]
}
@inline(never) func dictionaries() -> [Int] {
  var (any, one): ([AnyHashable: Int], [AnyHashable: Int]) = ([:], ["a": 1, 2: 3])
  var mixed: [Point: Any] = [Point(): [1]]
  var nested = [1: ["a": [1]], 2: [:]]
  var found = [any.peek(1), one.peek(2), mixed.peek([1]), nested.peek([:]), ["a": 1].peek(1)]
  any.drop(1)
  one.drop(2)
  mixed.drop(1)
  nested.drop(["a": []])
  found += [any.count, one.count, mixed.count, nested.count]
  return found
}
@inline(never) func lists() -> [Int] {
  var (any, keys): ([Any], [AnyHashable]) = ([1, "a", [1]], [])
  var optional: [Int?] = [1, nil]
  var set: Set<AnyHashable> = []
  var points: Set<Point> = [Point()]
  let found = [
    any.size(1), keys.size("a"), optional.size(.some(nil)), set.size(1), points.size(Point()),
  ]
  any.twice([2])
  keys.twice(1)
  optional.twice(nil)
  set.twice("x")
  points.twice(Point(x: 2))
  return found + [any.count, keys.count, optional.count, set.count, points.count]
}

setvbuf(stdout, nil, _IOLBF, 0)
while readLine() != nil { print(optionals(), dictionaries(), lists(), "--") }
