// SPDX-License-Identifier: MIT

private func same(_ value: Any) -> Any { value }
private func maybe(_ value: Any?) -> Any? { value }
private func list(_ values: [Any]) -> [Any] { values.reversed() }
private func table(_ values: [String: Any]) -> Any? { values["a"] }
private func key(_ value: AnyHashable) -> AnyHashable { value }
private func object(_ value: AnyObject) -> AnyObject { value }
private func error(_ error: any Error) -> any Error { error }
private func named(_ named: any Named) -> any Named { named }
private func sendable(_ value: any Sendable) -> any Sendable { value }
private func both(_ value: any Named & AnyObject) -> String { value.name }
private func equatable(_ value: any Equatable, _ other: any Equatable) -> Bool {
  func same<T: Equatable>(_ left: T) -> Bool { left == other as? T }
  return same(value)
}
private func text(_ value: any CustomStringConvertible) -> String { value.description }
private func type(_ type: Any.Type) -> Any.Type { type }
private func kind(_ type: any Named.Type) -> String { type.kind }
private func shape(_ type: Shape.Type) -> Shape.Type {
  type == Shape.self ? Square.self : Shape.self
}
private func number(_ type: Int.Type) -> Int.Type { type }
private func path(_ path: KeyPath<Point, Int>, _ point: Point) -> Int { point[keyPath: path] }
private func writable(_ path: WritableKeyPath<Point, Int>) -> WritableKeyPath<Point, Int> { path }
private func anyPath(_ path: AnyKeyPath) -> Bool { path == \Point.x }
private func partial(_ path: PartialKeyPath<Sheet>) -> Any { Sheet()[keyPath: path] }
private func put(_ value: inout Any?) -> Bool {
  defer { value = nil }
  return value == nil
}

private final class Thing: Named {
  private let live = Live("Thing")
  var name = "thing"
  func hail() -> String { "thing" }
  static var kind: String { "thing" }
}

func runAnything(_ say: Say) {
  let values: [Any] = [
    Int8(1), Float(0.1), 3, 2.5, "s", "sub".dropFirst(), Character("c"), [Int32(1)], [1, 2],
    ["a": 1],
    Set([1]), Direction.east, Point(1, 2), (1, "t"), UInt64.max, true, 1...3, Level.low, Int.self,
    Optional(5) as Any, Int?.none as Any, Optional(Optional(Int16(2))) as Any, [Any](), Int128(4),
  ]
  for value in values { say("same \(described(same(value)))") }
  for value in values { say("maybe \(described(maybe(value) as Any))") }
  say("list \(list(values).map { "\(Swift.type(of: $0))" })")
  let closure: Any = { (number: Int) in number + 1 }
  say("closure \((same(closure) as! (Int) -> Int)(4)) \(maybe(nil) == nil)")
  let purse = Purse(cents: 1)
  say(
    "object \(same(purse) as? Purse === purse) \(object(purse) === purse) \(list([purse])[0] as? Purse === purse)"
  )
  say(
    "slice \((same([1, 2, 3][1...]) as! ArraySlice<Int>).startIndex) \((same(("l", x: 2)) as! (String, x: Int)).x)"
  )
  say(
    "table \(described(table(["a": Int16(1)]) as Any)) \(described(table(["a": [UInt(1)]]) as Any)) \(table([:]) == nil)"
  )
  var any: Any? = Float16(2)
  say("put \(put(&any)) \(any == nil)")
}

func runExistentials(_ say: Say) {
  let keys: [AnyHashable] = [Int8(1), 1, "s", Point(1, 2), Direction.west, 1.5, [1], true]
  for value in keys {
    say("key \(described(key(value).base)) \(key(value) == value)")
  }
  say(
    "error \(error(ShelfError.missing("e"))) \(error(PurseError.short(by: 2)) as? PurseError == .short(by: 2))"
  )
  say("cancel \(error(CancellationError()) is CancellationError)")
  let thing = Thing()
  say(
    "named \(named(thing) as? Thing === thing) \(both(thing)) \(thing.hail()) \(described(sendable(Int8(3))))"
  )
  say("equatable \(equatable(1, 1)) \(equatable(1, "1")) \(text(Int8(4))) \(text([1]))")
  say(
    "types \(type(Purse.self)) \(type([Int8].self)) \(kind(Thing.self)) \(shape(Shape.self)) \(number(Int.self))"
  )
  say(
    "types \(shape(Square.self)) \(type((Int, String).self)) \(type((any Named).self)) \(type(Int?.self))"
  )
  var point = Point(3, 4)
  point[keyPath: writable(\.y)] = 9
  say(
    "paths \(path(\.x, point)) \(path(\.y, point)) \(anyPath(\Point.x)) \(anyPath(\Sheet.a)) \(partial(\.b))"
  )
}
