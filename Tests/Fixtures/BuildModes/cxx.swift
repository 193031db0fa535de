// SPDX-License-Identifier: MIT

import Glibc
import Placement

// Values that must not be moved by their bytes: C++ objects, and weak references.

struct Refused: Error {}

struct Row {
  var placed = Placed(1)
  var text = Text()
  var count = 0

  mutating func add(_ number: Int32) {
    placed.number += number
    text.set(0, 65)
    count += 1
  }
  func total() -> Int32 { placed.value() + Int32(count) }
  mutating func take(_ other: inout Row) -> Int32 {
    let kept = placed
    placed = other.placed
    other.placed = kept
    return placed.value()
  }
  var first: Placed {
    get { placed }
    set { placed = newValue }
  }
  subscript(offset: Int32) -> Placed {
    get { Placed(placed.value() + offset) }
    set { placed = Placed(newValue.value() + offset) }
  }
  mutating func refuse() throws -> Placed {
    placed.number += 1
    throw Refused()
  }
  mutating func later(_ number: Int32) async -> Placed {
    placed.number += number
    text.set(1, 66)
    return placed
  }
}

enum Choice {
  case none
  case one(Placed)
  case row(Row)

  mutating func next() {
    switch self {
    case .none: self = .one(Placed(1))
    case .one(let placed): self = .row(Row(placed: placed))
    case .row: self = .none
    }
  }
  func value() -> Int32 {
    switch self {
    case .none: 0
    case .one(let placed): placed.value()
    case .row(let row): row.total() + 10
    }
  }
}

final class Cell { var number = 3 }

struct Watch {
  weak var cell: Cell?
  var count = 0
  mutating func set(_ other: Cell?) {
    cell = other
    count += 1
  }
  func value() -> Int { (cell?.number ?? -1) + count }
}

struct Pair<Value> {
  var value: Value
  mutating func exchange(_ other: inout Value) -> Value {
    swap(&value, &other)
    return value
  }
}

final class Functions {
  var stored = Placed(50)
  func change(_ placed: inout Placed) -> Placed {
    placed.number += 1
    return placed
  }
  func change(both one: inout Row, _ other: inout Row) { swap(&one, &other) }
  func change(maybe placed: inout Placed?) { placed = placed == nil ? Placed(9) : nil }
  func change(all placed: inout [Placed]) { placed.append(Placed(Int32(placed.count))) }
  func change(tuple pair: inout (Placed, Int)) { pair.0.number += 2 }
  func change(choice: inout Choice) { choice.next() }
  func change(watch: inout Watch, _ cell: Cell?) -> Watch {
    watch.set(cell)
    return watch
  }
  func same(_ placed: Placed) -> Placed { Placed(placed.value()) }
  func own(_ pair: consuming (Placed, Int)) -> Int32 { pair.0.value() }
  func named(_ pair: (placed: Placed, number: Int)) -> (Int, Placed, Watch) {
    (pair.number, pair.placed, Watch())
  }
  func call(_ body: (Placed, (Int, Placed)) -> Placed) -> Int32 {
    body(Placed(4), (5, Placed(6))).value()
  }
  func call(changing body: (inout Placed) -> Int32) -> Int32 {
    var placed = Placed(7)
    return body(&placed) * 100 + placed.value()
  }
  func same<Value>(generic value: Value, _ other: inout Value) -> (Value, Value) {
    defer { other = value }
    return (other, value)
  }
  func later(_ placed: inout Placed, _ other: Placed) async -> (Placed, Int) {
    placed.number += other.value()
    return (placed, 1)
  }
  var property: Placed {
    get { stored }
    set { stored = newValue }
  }
}

func changed() -> [Int32] {
  let functions = Functions()
  var placed = Placed(5)
  var found = [functions.change(&placed).value(), placed.value()]
  found.append(functions.change(&functions.stored).value())
  var maybe: Placed?
  functions.change(maybe: &maybe)
  found.append(maybe?.value() ?? -1)
  var all = [Placed(1)]
  functions.change(all: &all)
  functions.change(all: &all)
  found += all.map { $0.value() }
  var pair = (Placed(3), 4)
  functions.change(tuple: &pair)
  found.append(pair.0.value())
  var choice = Choice.none
  for _ in 0..<4 {
    functions.change(choice: &choice)
    found.append(choice.value())
    choice.next()
    found.append(choice.value())
  }
  var generic = Placed(31)
  let both = functions.same(generic: placed, &generic)
  found += [both.0.value(), both.1.value(), generic.value()]
  var kept = Pair(value: Placed(3))
  found += [kept.exchange(&generic).value(), kept.value.value(), generic.value()]
  functions.property = Placed(77)
  found += [functions.property.value(), functions.stored.value()]
  return found
}

func rows() async -> [Int32] {
  let functions = Functions()
  var one = Row()
  var two = Row(placed: Placed(20))
  functions.change(both: &one, &two)
  one.add(3)
  var found = [one.total(), two.total(), Int32(one.text.at(0)), one.take(&two), two.total()]
  one.first = Placed(90)
  one[4] = Placed(8)
  found += [one.first.value(), one[5].value()]
  _ = try? one.refuse()
  found.append(await one.later(5).value())
  return found + [one.total(), Int32(one.text.at(1))]
}

func others() async -> [Int32] {
  let functions = Functions()
  var placed = Placed(4)
  let named = functions.named((placed: placed, number: 3))
  var found = [Int32(named.0), named.1.value(), functions.own((placed, 3))]
  found += [functions.same(placed).value(), functions.call { Placed($0.value() + $1.1.value()) }]
  found.append(
    functions.call(changing: {
      $0.number += 2
      return $0.value()
    }))
  let later = await functions.later(&placed, Placed(6))
  return found + [later.0.value(), placed.value()]
}

func watches() -> [Int] {
  let functions = Functions()
  let one = Cell()
  var watch = Watch()
  var found = [functions.change(watch: &watch, one).value(), watch.value()]
  watch.set(Cell())
  found.append(watch.value())
  var pair = Pair(value: watch)
  watch.set(one)
  found.append(pair.exchange(&watch).value())
  return found + [watch.value()]
}

setvbuf(stdout, nil, Int32(_IOLBF), 0)
while readLine() != nil {
  print(changed(), await rows(), await others(), watches(), Placed.alive(), "--")
}
