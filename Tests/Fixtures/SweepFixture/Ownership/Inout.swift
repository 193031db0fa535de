// SPDX-License-Identifier: MIT

private func bump(_ number: inout Int) { number += 1 }
private func shrink(_ number: inout Int8, by amount: Int8) -> Bool {
  number -= amount
  return number < 0
}
private func append(_ text: inout String, _ more: String) -> Int {
  text += more
  return text.utf8.count
}
private func exchange<T>(_ left: inout T, _ right: inout T) { (left, right) = (right, left) }
private func fill(_ list: inout [Int], to count: Int) throws {
  while list.count < count { list.append(list.count) }
  if count > 4 { throw SeedError.noDays(seed: count) }
}
private func clear(_ purse: inout Purse?) -> Purse? {
  defer { purse = nil }
  return purse
}
private func renew(_ purse: inout Purse) { purse = Purse(cents: purse.total() * 2) }
private func move(_ point: inout Point, _ grid: inout Grid) {
  point.x += 1
  grid[0] = point.x
}
private func mix(_ mixed: inout Mixed, _ sheet: inout Sheet, _ pair: inout (Int, String)) {
  mixed.count += 1
  sheet.d.append(Int(mixed.count))
  pair = (sheet.d.count, pair.1 + "!")
}
private func turn(_ direction: inout Direction, _ payment: inout Payment) {
  direction.turn()
  payment.absorb(.cash(1))
}
private func widen(_ any: inout Any) { any = [any] }
private func rename(_ named: inout any Named) { named.name += "+" }
private func store(_ table: inout [String: [Int]], _ key: String) {
  table[key, default: []].append(1)
}
private func cut(_ slice: inout ArraySlice<Int>) -> Int? { slice.popFirst() }
private func shorten(_ text: inout Substring) { text = text.dropFirst() }
private func replace(_ body: inout (Int) -> Int) {
  let old = body
  body = { old($0) + 1 }
}
private func both(_ a: inout Double, _ b: inout Float, _ c: inout Bool, _ d: inout Character) {
  a /= 2
  b *= 2
  c.toggle()
  d = "é"
}
private func raise(_ level: inout Level?) throws(ShelfError) {
  level = level?.raised(by: 199)
  if level == nil { throw .missing("level") }
}
private func later(_ number: inout Int, _ text: inout String) async -> Int {
  number += 1
  await Task.yield()
  text += "\(number)"
  return number * 2
}
private func laterThrows(_ list: inout [String]) async throws {
  list.append("before")
  await Task.yield()
  throw ShelfError.missing("later")
}
private func with(_ value: inout some Named, _ name: String) { value.name = name }
private func lend(_ body: (inout [Int], inout String) throws -> Int) rethrows -> String {
  var list = [1]
  var text = "t"
  let result = try body(&list, &text)
  return "\(result) \(list) \(text)"
}

private struct Tag: Named {
  var name: String
  func hail() -> String { name }
  static var kind: String { "tag" }
}

func runInout(_ say: Say) {
  var number = 1
  var small: Int8 = 3
  var text = "é"
  var other = "b"
  bump(&number)
  say("number \(number) \(shrink(&small, by: 4)) \(small) \(append(&text, "\0ü")) \(text.count)")
  exchange(&text, &other)
  var list = [5, 6]
  var second = [Int]()
  exchange(&list, &second)
  say("swapped \(text) \(list) \(second)")
  do {
    try fill(&list, to: 3)
    try fill(&list, to: 5)
  } catch { say("error \(error) \(list)") }
  var purse: Purse? = Purse(cents: 3)
  let kept = purse!
  var renewed = kept
  renew(&renewed)
  say("purse \(clear(&purse) === kept) \(purse == nil) \(renewed.total()) \(kept.total())")
  var point = Point(1, 2)
  var grid = Grid(columns: 1, cells: [0])
  move(&point, &grid)
  var mixed = Mixed(count: 1, ratio: 1, flag: true, small: 1)
  var sheet = Sheet()
  var pair = (0, "p")
  mix(&mixed, &sheet, &pair)
  say("mixed \(point) \(grid.cells) \(mixed) \(sheet.d) \(pair)")
  var direction = Direction.west
  var payment = Payment.none
  turn(&direction, &payment)
  say("turned \(direction) \(payment)")
}

func runInoutOfOtherTypes(_ say: Say) async {
  var any: Any = Int8(3)
  var named: any Named = Tag(name: "n")
  widen(&any)
  rename(&named)
  say("any \(described(any)) \((any as! [Any])[0] is Int8) \(described(named))")
  var table = ["a": [2]]
  var list = [9, 8, 7, 6]
  var slice = list[1...2]
  var part = "word"[...]
  store(&table, "a")
  store(&table, "b")
  say("table \(table["a"]!) \(table["b"]!) \(cut(&slice) ?? -1) \(slice.startIndex) \(slice)")
  shorten(&part)
  bump(&list[3])
  say("part \(part) \(part.base) \(list)")
  var body: (Int) -> Int = { $0 * 10 }
  replace(&body)
  var a = 1.0
  var b: Float = 0.25
  var c = false
  var d: Character = "e"
  both(&a, &b, &c, &d)
  say("both \(body(2)) \(a) \(b) \(c) \(d)")
  var level: Level? = .low
  do {
    try raise(&level)
    say("level \(level!)")
    try raise(&level)
  } catch { say("\(error)") }
  var count = 4
  var words = ["w"]
  var text = "l"
  say("later \(await later(&count, &text)) \(count) \(text)")
  do { try await laterThrows(&words) } catch { say("error \(error) \(words)") }
  var tag = Tag(name: "t")
  with(&tag, "changed")
  say("\(tag.hail()) \(Tag.kind)")
  let lent = lend { list, text in
    list.append(2)
    text += "u"
    return list.count
  }
  say("tag \(tag.name) \(lent)")
}
