// SPDX-License-Identifier: MIT

// Types that nothing reflects: the optimizer drops what describes them. None of them may be printed
// whole, compared by `type(of:)`, or put into an existential here.

struct SmallPlain {
  var a: Int
  var b: Int32
  func sum() -> Int { a + Int(b) }
  mutating func add(_ other: SmallPlain) {
    a += other.a
    b += other.b
  }
  static func make(_ a: Int) -> SmallPlain { SmallPlain(a: a, b: 1) }
  static func sum(_ all: SmallPlain...) -> Int { all.reduce(0) { $0 + $1.a } }
}

struct MixedPlain {
  var a: Int
  var b: Double
  var c: Int8
  func value() -> Double { Double(a) + b + Double(c) }
  func turned() -> MixedPlain { MixedPlain(a: -a, b: -b, c: -c) }
}

struct FloatPlain {
  var x: Double, y: Double, z: Float
  func length() -> Double { x * x + y * y + Double(z * z) }
  func scaled(_ factor: Double) -> FloatPlain {
    FloatPlain(x: x * factor, y: y * factor, z: z * Float(factor))
  }
}

struct ReferencePlain {
  let live = Live("ReferencePlain")
  var purse: Purse
  var name: String
  func total() -> Int { purse.total() + name.utf8.count }
  func renamed(_ name: String) -> ReferencePlain { ReferencePlain(purse: purse, name: name) }
  mutating func swap(_ other: inout ReferencePlain) { (self, other) = (other, self) }
}

struct LargePlain {
  var a = 1, b = 2, c = 3
  var name = "large"
  var d = 0.5
  func sum() -> Double { Double(a + b + c) + d }
  func with(_ a: Int) -> LargePlain {
    var copy = self
    copy.a = a
    return copy
  }
  mutating func bump() -> Int {
    b += 1
    return b
  }
}

enum PlainState {
  case idle, busy, done
  func next() -> PlainState {
    switch self {
    case .idle: .busy
    case .busy: .done
    case .done: .idle
    }
  }
  var number: Int { self == .idle ? 0 : self == .busy ? 1 : 2 }
}

enum PlainEvent {
  case key(Int32)
  case text(String)
  case object(Purse)
  case none
  func weight() -> Int {
    switch self {
    case .key(let key): Int(key)
    case .text(let text): text.utf8.count
    case .object(let purse): purse.total()
    case .none: -1
    }
  }
  mutating func clear() -> Bool {
    defer { self = .none }
    return weight() >= 0
  }
}

struct TinyPlain {
  var flag: Bool
  func flipped() -> TinyPlain { TinyPlain(flag: !flag) }
}

private func takeSmall(_ plain: SmallPlain, _ more: Int) -> Int { plain.a * more + Int(plain.b) }
private func giveSmall(_ a: Int) -> SmallPlain { SmallPlain(a: a, b: 7) }
private func passMixed(_ before: Double, _ plain: MixedPlain, _ after: Int) -> MixedPlain {
  MixedPlain(a: plain.a + after, b: plain.b + before, c: plain.c)
}
private func passFloat(_ plain: FloatPlain, _ factor: Float) -> FloatPlain {
  plain.scaled(Double(factor))
}
private func takeReference(_ plain: ReferencePlain) -> Purse { plain.purse }
private func giveReference(_ name: String) -> ReferencePlain {
  ReferencePlain(purse: Purse(), name: name)
}
private func consumeReference(_ plain: consuming ReferencePlain) -> Int { plain.total() }
private func passLarge(_ plain: LargePlain, _ number: Int) -> LargePlain {
  plain.with(plain.b + number)
}
private func changeSmall(_ plain: inout SmallPlain) { plain.a += 100 }
private func changeLarge(_ plain: inout LargePlain) throws {
  plain.c += 100
  if plain.c > 200 { throw ShelfError.missing("large") }
}
private func optionalSmall(_ plain: SmallPlain?) -> SmallPlain? {
  plain.map { SmallPlain(a: -$0.a, b: $0.b) }
}
private func optionalReference(_ plain: ReferencePlain?) -> Bool { plain == nil }
private func listOf(_ count: Int) -> [SmallPlain] { (0..<count).map { SmallPlain(a: $0, b: 0) } }
private func sumOf(_ list: [MixedPlain]) -> Double { list.reduce(0) { $0 + $1.value() } }
private func nextState(_ state: PlainState) -> PlainState { state.next() }
private func states(_ states: [PlainState], _ optional: PlainState?) -> Int {
  states.count + (optional?.number ?? 10)
}
private func events(_ event: PlainEvent, _ other: PlainEvent) -> PlainEvent {
  event.weight() > other.weight() ? event : other
}
private func eventLater(_ event: PlainEvent) async throws -> PlainEvent {
  await Task.yield()
  if case .none = event { throw ShelfError.missing("event") }
  return event
}
private func tupled(_ plain: SmallPlain, _ tiny: TinyPlain) -> (TinyPlain, SmallPlain) {
  (tiny.flipped(), plain)
}
private func closured(_ plain: SmallPlain, _ body: (SmallPlain) -> Int) -> Int { body(plain) }
private func manyArguments(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ plain: SmallPlain)
  -> Int
{
  a + b + c + d + e * plain.a + Int(plain.b)
}

/// A class that has such types as members.
final class PlainHolder {
  private let live = Live("PlainHolder")
  private var plain = LargePlain()
  private var event = PlainEvent.none
  func set(_ plain: LargePlain, _ event: PlainEvent) {
    self.plain = plain
    self.event = event
  }
  func weight() -> Int { plain.a + event.weight() }
  var current: LargePlain {
    get { plain }
    set { plain = newValue }
  }
  var last: PlainEvent { event }
}

func runStripped(_ say: Say) async {
  say(
    "variadic \(SmallPlain.sum(SmallPlain(a: 1, b: 2), SmallPlain(a: 3, b: 4))) \(SmallPlain.sum())"
  )
  var small = giveSmall(3)
  small.add(.make(4))
  changeSmall(&small)
  say(
    "small \(small.sum()) \(takeSmall(small, 2)) \(optionalSmall(small)?.a ?? 0) \(optionalSmall(nil) == nil)"
  )
  let mixed = passMixed(0.5, MixedPlain(a: 1, b: 2, c: 3), 10)
  say(
    "mixed \(mixed.a) \(mixed.b) \(mixed.c) \(mixed.turned().value()) \(sumOf([mixed, mixed.turned(), mixed]))"
  )
  let float = passFloat(FloatPlain(x: 1, y: 2, z: 3), 2)
  say("float \(float.x) \(float.y) \(float.z) \(float.length()) \(float.scaled(0.5).y)")
  var reference = giveReference("r")
  var other = reference.renamed("other")
  reference.swap(&other)
  say(
    "reference \(reference.name) \(reference.total()) \(other.name) \(takeReference(other) === reference.purse)"
  )
  say("consumed \(consumeReference(other)) \(optionalReference(other)) \(optionalReference(nil))")
  var large = passLarge(LargePlain(), 40)
  say("large \(large.a) \(large.bump()) \(large.b) \(large.sum()) \(large.with(7).a) \(large.name)")
  do {
    try changeLarge(&large)
    try changeLarge(&large)
  } catch { say("error \(error) \(large.c)") }
  say(
    "list \(listOf(3).map(\.a)) \(manyArguments(1, 2, 3, 4, 5, small)) \(closured(small) { $0.sum() })"
  )
  let (tiny, again) = tupled(small, TinyPlain(flag: false))
  say("tuple \(tiny.flag) \(again.a) \(nextState(.busy).number) \(PlainState.idle.next().number)")
  say("states \(states([.idle, .done], nil)) \(states([], .busy))")
  var event = events(.text("abc"), .object(Purse(cents: 9)))
  do {
    say(
      "event \(event.weight()) \(try await eventLater(.key(5)).weight()) \(event.clear()) \(event.clear())"
    )
    _ = try await eventLater(event)
  } catch { say("error \(error)") }
  say("made \(LargePlain(a: 4, b: 5, c: 6, name: "n", d: 7).sum())")
  let holder = PlainHolder()
  holder.set(large, .key(6))
  holder.current.a += 1
  say("holder \(holder.weight()) \(holder.current.a) \(holder.last.weight())")
}
