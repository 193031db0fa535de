// SPDX-License-Identifier: MIT

private func identity<T>(_ value: T) -> T { value }
private func twice<T>(_ value: T) -> (T, T) { (value, value) }
private func first<T>(_ list: [T], or other: T) -> T { list.first ?? other }
private func typeName<T>(_ value: T) -> String { "\(T.self) \(type(of: value))" }
private func largest<T: Comparable>(_ list: T...) -> T? { list.max() }
private func total<T: Numeric>(_ list: some Sequence<T>) -> T { list.reduce(0, +) }
private func keyed<K: Hashable, V>(_ keys: [K], _ value: (K) -> V) -> [K: V] {
  Dictionary(uniqueKeysWithValues: keys.map { ($0, value($0)) })
}
private func paired<A, B>(_ a: A, _ b: B) -> (first: A, second: B)? { (a, b) }
private func changed<T>(_ value: inout T, to new: T) -> T {
  defer { value = new }
  return value
}
private func mapped<T, U>(_ list: [T], _ body: (T) throws -> U) rethrows -> [U] {
  try list.map(body)
}
private func typed<T, E: Error>(_ value: T?, _ error: E) throws(E) -> T {
  guard let value else { throw error }
  return value
}
private func wrapped<T>(_ value: T, depth: Int) -> Any {
  depth == 0 ? value : wrapped([value], depth: depth - 1)
}
private func cast<T>(_ value: Any, to type: T.Type) -> T? { value as? T }
private func waited<T: Sendable>(_ value: T) async -> [T] {
  await Task.yield()
  return [value, value]
}
private func elements<C: Collection>(_ collection: C) -> [C.Element] where C.Element: Equatable {
  Array(collection.prefix(2))
}
private func joined<S: Sequence>(_ texts: S) -> String where S.Element == String {
  texts.joined(separator: "+")
}
private func same<T: AnyObject>(_ left: T, _ right: T?) -> Bool { left === right }
private func made<T: Seeded>(_ seed: Int) -> T { T(seed: seed) }
private func zero<T: BinaryInteger>() -> T { 0 }
private func zero<T: BinaryFloatingPoint>() -> T { 0 }
private func opaque(_ number: Int) -> some Collection<Int> { (0..<number).map { $0 * 2 } }
private func opaqueNamed(_ name: String) -> some Named { Badge(name: name) }
private func boxed(_ number: Int) -> any Collection<Int> { number > 2 ? [number] : 0..<number }
private func count(_ collection: any Collection<Int>) -> Int { collection.reduce(0, +) }
private func maybe(_ sequence: (any Sequence<String>)?) -> [String] {
  sequence.map { Array($0) } ?? []
}

private struct Badge: Named {
  var name: String
  func hail() -> String { "badge" }
  static var kind: String { "badge" }
}

func runGenericFunctions(_ say: Say) async {
  say("identity \(identity(1)) \(identity("s")) \(identity(2.5)) \(identity(Int8(-1)) as Int8)")
  let purse = Purse(cents: 3)
  say("object \(identity(purse) === purse) \(identity(Point(1, 2))) \(twice(purse).1 === purse)")
  say("closure \(identity { (x: Int) in x + 1 }(4)) \(twice("t")) \(twice(Direction.east))")
  say(
    "first \(first([], or: 1)) \(first(["a"], or: "b")) \(typeName(3 as UInt16)) \(typeName(nil as Int?))"
  )
  say("type \(typeName(purse)) \(typeName([1: "a"])) \(typeName(3 as Any)) \(typeName(()))")
  say("largest \(largest(3, 9, 2) ?? 0) \(largest("a", "c") ?? "") \(largest() as Int? == nil)")
  say("total \(total([1, 2])) \(total([0.5, 1] as Set)) \(total([UInt8(200), 50]))")
  say("keyed \(keyed(["a", "bb"]) { $0.count }.sorted { $0.key < $1.key }.map(\.value))")
  say("paired \(paired(1, "x")!) \(paired(purse, [1])!.second)")
  var number = 4
  var text: String? = nil
  say("changed \(changed(&number, to: 5)) \(number) \(changed(&text, to: "n") ?? "nil") \(text!)")
  say(
    "mapped \(mapped([1, 2]) { "\($0)" }) \((try? mapped([1]) { _ in throw SeedError.noDays(seed: 1) }) == nil)"
  )
  do {
    say("typed \(try typed(4, ShelfError.missing("m")))")
    _ = try typed(nil as Int?, ShelfError.missing("n"))
  } catch { say("error \(error)") }
  say("wrapped \(described(wrapped(Int16(1), depth: 2))) \(cast(Int32(4), to: Int32.self) ?? 0)")
  say("cast \(cast("s", to: Int.self) == nil) \(cast(purse, to: Purse.self) === purse)")
  say("waited \(await waited("w")) \(await waited(Point(0, 1)))")
}

func runGenericConstraints(_ say: Say) {
  say("elements \(elements("héllo")) \(elements([1, 2, 3][1...])) \(elements(Set([1])))")
  let purse = Purse(cents: 1)
  say(
    "joined \(joined(["a", "b"])) \(joined("c".map { String($0) }.lazy)) \(same(purse, purse)) \(same(purse, nil))"
  )
  let plant: Plant = made(4)
  let flower: Flower = made(5)
  say("made \(plant.seed) \(flower.seed)")
  say("kind \(Badge.kind)")
  let byte: UInt8 = zero()
  let float: Float = zero()
  let int: Int = zero()
  say("zero \(byte) \(float) \(int)")
  say(
    "opaque \(opaque(3).map { $0 + 1 }) \(opaqueNamed("o").greeting("Hey")) \(opaqueNamed("p").hail())"
  )
  say(
    "boxed \(described(boxed(2))) \(described(boxed(3))) \(count([1, 2])) \(count(0..<4)) \(count(Set([7])))"
  )
  say("maybe \(maybe(["a"])) \(maybe(nil)) \(maybe(["b": 1].keys))")
}
