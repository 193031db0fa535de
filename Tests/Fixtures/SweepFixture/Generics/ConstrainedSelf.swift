// SPDX-License-Identifier: MIT

// Extensions of protocols with requirements on `Self`. With `Self == S` they are called like members of
// `S`, with the values of `S` in registers, and no metatype for a struct or an enum.

protocol Choice {
  var weight: Int { get }
  init()
}

protocol Tagged { var label: String { get } }

extension Int: Tagged { var label: String { "#\(self)" } }

struct HalfChoice: Choice {
  var weight = 1
  var spare = 3
}

enum PlainChoice: Choice {
  case one
  case two(Int)
  init() { self = .two(4) }
  var weight: Int { if case .two(let weight) = self { weight } else { 0 } }
}

struct WideChoice: Choice {
  var weight = 5
  var text = "wide"
  var numbers = [1, 2]
  var last: Int? = 7
}

class SharedChoice: Choice {
  var weight = 6
  required init() {}
}

final class SharedMore: SharedChoice {}

struct OneOf<T>: Choice {
  var content: T?
  var weight: Int { content == nil ? 7 : 8 }
  init() {}
  init(_ content: T) { self.content = content }
}

struct RowOf<T: Tagged>: Choice {
  init() {}
  var contents: [T] = []
  var weight: Int { contents.count }
}

class CaseOf<T: Tagged>: Choice {
  var contents: [T] = []
  var weight: Int { contents.count }
  required init() {}
}

final class IntCases: CaseOf<Int> {}

extension Optional: Choice where Wrapped == Int {
  var weight: Int { self ?? 9 }
  init() { self = nil }
}

extension Choice where Self == HalfChoice {
  static var half: Self { HalfChoice() }
  static func half(_ weight: Int) -> Self { HalfChoice(weight: weight) }
  static func half<T: Comparable>(_ a: T, _ b: T) -> T { max(a, b) }
  static func halfLater(_ weight: Int) async throws -> Self { HalfChoice(weight: weight) }
  static subscript(half index: Int) -> Int { index + 1 }
  init(half weight: Int) { self.init(weight: weight, spare: weight) }
  func halfText(_ text: String) -> String { "\(text) \(weight) \(self.spare)" }
  mutating func halve() { weight /= 2 }
}

extension Choice where Self == PlainChoice {
  static var plain: Self { .one }
  static func plain(_ weight: Int) -> Self { .two(weight) }
  func plainText(_ text: String) -> String { "\(text) \(weight)" }
  mutating func flatten() { self = .one }
}

extension Choice where Self == WideChoice {
  static var wide: Self { WideChoice() }
  static func wide(_ text: String) -> Self { WideChoice(text: text) }
  func wideText(_ text: String) -> String { "\(text) \(weight) \(self.numbers)" }
  mutating func widen() -> Int {
    self.numbers.append(3)
    return self.numbers.count
  }
}

extension Choice where Self == SharedChoice {
  static func shared(_ weight: Int) -> Self {
    let shared = SharedChoice()
    shared.weight = weight
    return shared
  }
  func sharedText(_ text: String) -> String { "\(text) \(weight)" }
}

extension Choice where Self: SharedChoice {
  static func fresh(_ weight: Int) -> Self {
    let fresh = Self()
    fresh.weight = weight
    return fresh
  }
}

extension Choice where Self == OneOf<Int> {
  static func boxed(_ content: Int) -> Self { OneOf(content) }
  func boxedText(_ text: String) -> String { "\(text) \(self.content ?? 0)" }
}

extension Choice where Self == Int? {
  static func maybe(_ number: Int) -> Self { number }
  func maybeText(_ text: String) -> String { "\(text) \(weight)" }
}

// The parameters stand in what `Self` is: metadata of `Self` tells them, where it is passed.
extension Choice {
  static func box<T>(_ content: T) -> Self where Self == OneOf<T> { OneOf(content) }
  func unboxed<T>(_ other: T) -> [T] where Self == OneOf<T> { [self.content ?? other] }
  mutating func rebox<T>(_ content: T) where Self == OneOf<T> { self.content = content }
  mutating func shelve<C: Collection>(_ more: C) -> Int where Self == RowOf<C.Element> {
    self.contents += Array(more)
    return self.contents.count
  }
  func inside<T>(_ other: T) -> String where Self: CaseOf<T> { "\(self.contents) \(other)" }
  static func named<T>(_ other: T) -> String where Self: CaseOf<T> { other.label }
}

extension OneOf {
  mutating func append<E>(_ element: E) where T == [E] { content = (content ?? []) + [element] }
  func first<C: Tagged>(_ other: C) -> String where T: CaseOf<C> {
    "\(content?.contents ?? []) \(other)"
  }
}

extension RowOf where T == Int {
  mutating func shelve(_ number: Int) -> Int {
    contents.append(number)
    return contents.reduce(0, +)
  }
}

func runConstrainedSelf(_ say: Say) async {
  func weight<C: Choice>(_ choice: C) -> String { "\(choice.weight) \(C().weight)" }
  func tell(_ values: Any...) { say(values.map { "\($0)" }.joined(separator: " ")) }
  tell(
    "half", weight(.half), weight(.half(4)), HalfChoice.half("a", "b"), HalfChoice(half: 3),
    HalfChoice[half: 4])
  tell("later", (try? await HalfChoice.halfLater(5).weight) ?? 0)
  var half = HalfChoice.half(8)
  half.halve()
  tell(half.halfText("text"))
  var plain = PlainChoice.plain(6)
  tell("plain", weight(.plain), plain.plainText("text"))
  plain.flatten()
  tell(plain)
  var wide = WideChoice.wide("w")
  tell("wide", weight(.wide), wide.wideText("text"), wide.widen(), wide.numbers)
  tell("shared", weight(.shared(4)), SharedChoice.shared(3).sharedText("text"))
  tell("fresh", type(of: SharedMore.fresh(3)), SharedMore.fresh(4).weight)
  tell(
    "boxed", weight(.boxed(4)), OneOf.boxed(3).boxedText("text"), Int?.maybe(4).maybeText("text"))
  var box = OneOf<String>.box("b")
  box.rebox("c")
  var shelf = RowOf<Int>()
  tell(box, box.unboxed("d"), shelf.shelve([4, 5]), shelf.shelve(6))
  tell(IntCases().inside(3), IntCases.named(4))
  var list = OneOf(["a"])
  list.append("b")
  tell(list, OneOf(IntCases()).first(5))
  tell(weight(box), weight(RowOf<Int>()), weight(CaseOf<Int>()), weight(plain), weight(Int?.none))
  tell(weight(wide), weight(SharedMore()))
}
