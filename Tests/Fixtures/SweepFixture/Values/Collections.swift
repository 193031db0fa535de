// SPDX-License-Identifier: MIT

private func same(_ table: [String: Int]) -> [String: Int] { table }
private func keyList(_ table: [String: Int]) -> [String] { Array(table.keys) }
private func members(_ set: Set<Int>) -> [Int] { Array(set) }
private func same(_ set: Set<Int>) -> Set<Int> { set }
private func same(_ set: Set<String>) -> Set<String> { set }
private func values(_ table: [Point: Direction]) -> [Direction] { Array(table.values) }
private func nested(_ table: [String: [Int: [String]]]) -> [Int: [String]]? { table["a"] }
private func optionals(_ list: [Int?]) -> [String?] { list.map { $0.map { "\($0)" } } }
private func lists(_ lists: [[Point]]) -> [[Point]] { lists.map { $0.reversed() } }
private func tuples(_ list: [(Int, String)]) -> [(String, Int)] { list.map { ($1, $0) } }
private func types(_ list: [Any.Type]) -> [String] { list.map { "\($0)" } }
private func metatypes() -> [Shape.Type] { [Shape.self, Square.self] }
private func empty() -> ([Int], [String: Int], Set<Int>) { ([], [:], []) }
private func objects(_ table: [String: Purse]) -> [Purse] { table.keys.sorted().map { table[$0]! } }
private func enums(_ set: Set<Direction>) -> [Bool] { Direction.allCases.map { set.contains($0) } }
private func large(_ list: [Sheet]) -> [Sheet] { list.map { $0.with(a: $0.a + 1) } }
private func pairs(_ pairs: KeyValuePairs<String, Int>) -> [Int] { pairs.map(\.value) }
private func ordered(_ table: [AnyHashable: Any]) -> [String] { table.map { "\($0) \($1)" } }
private func counts(_ table: [Double: Int8]) -> [Double: Int8] { table.mapValues { $0 + 1 } }
private func flags(_ table: [Bool: String]) -> [Bool: String] { table }
private func mirror(_ value: Any) -> [String] {
  Mirror(reflecting: value).children.map { "\($0.label ?? "-") \($0.value)" }
}
private func reflected(_ value: Any) -> Mirror { Mirror(reflecting: value) }

func runCollections(_ say: Say) {
  let table = Dictionary(uniqueKeysWithValues: (0..<40).map { ("k\($0)", $0) })
  say(
    "order \(Array(same(table).keys) == Array(table.keys)) \(keyList(table) == Array(table.keys))")
  let set = Set(0..<40)
  say("order \(members(set) == Array(set)) \(Array(same(set)) == Array(set))")
  let words = Set(table.keys)
  say("order \(Array(same(words)) == Array(words))")
  let points = [Point(1, 2): Direction.east, Point(3, 4): .west]
  say(
    "values \(values(points) == Array(points.values)) \(nested(["a": [1: ["x"]]])?[1] ?? []) \(nested([:]) == nil)"
  )
  say("optionals \(optionals([1, nil, 3])) \(lists([[Point(1, 2), Point(3, 4)], []]))")
  say("tuples \(tuples([(1, "a"), (2, "b")])) \(types([Int.self, Purse.self])) \(metatypes())")
  say("empty \(empty()) \(enums([.south]))")
  let purse = Purse(cents: 2)
  say(
    "objects \(objects(["b": purse, "a": Purse(cents: 1)])[1] === purse) \(large([Sheet()])[0].a)")
  say("pairs \(pairs(["x": 2, "a": 1, "x": 3])) \(counts([0.5: 1])) \(flags([true: "t"]))")
  let hashables: [AnyHashable: Any] = [1: "a", "s": Int8(2), Point(1, 2): purse.total()]
  say("ordered \(ordered(hashables) == hashables.map { "\($0) \($1)" })")
  say("mirror \(mirror(Point(4, 5))) \(mirror([1])) \(reflected((1, b: 2)).children.count)")
}
