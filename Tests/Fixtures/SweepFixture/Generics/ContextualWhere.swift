// SPDX-License-Identifier: MIT

private protocol Costed { var price: Int { get } }
extension Int: Costed { fileprivate var price: Int { self } }

/// Members with a `where` clause of their own about the type's parameters.
private struct HeldValue<Content> {
  var content: Content
  init(content: Content) { self.content = content }
  init(priced: Content) where Content: Costed { content = priced }
  func isLess() -> Bool where Content: Comparable { content < content }
  func holds(_ other: Content) -> Bool where Content: Equatable { content == other }
  func price(_ count: Int) -> Int where Content: Costed { content.price * count }
  func sent(_ number: Int) -> Int where Content: Sendable { number }
  func both<Other: Costed>(_ other: Other) -> Int where Content: Costed {
    content.price * other.price
  }
  func text<Other>(_ other: Other) -> String where Content: Sendable { "\(other)" }
  mutating func replace(_ new: Content) where Content: Equatable {
    if content != new { content = new }
  }
  static func make(_ content: Content) -> HeldValue where Content: Costed {
    HeldValue(content: content)
  }
  static func empty<Inner>(_: Inner.Type) -> HeldValue<Inner?> where Content == Inner? {
    HeldValue<Inner?>(content: nil)
  }
  subscript(index: Int) -> Int where Content: Costed { content.price + index }
  func later(_ number: Int) async -> Int where Content: Costed { content.price + number }
}
private final class HeldObject<Content> {
  var content: Content
  init(_ content: Content) { self.content = content }
  func holds(_ other: Content) -> Bool where Content: Equatable { content == other }
  static func make(_ content: Content, as: Content.Type, _ number: Int) -> HeldObject
  where Content: Sendable { HeldObject(content) }
  static func empty<Inner>(_: Inner.Type, _ number: Int) -> HeldObject<Inner?>
  where Content == Inner? { HeldObject<Inner?>(nil) }
  func adding<Element>(_ element: Element, _ number: Int) -> [Element]
  where Content == [Element] { content + [element] }
  func count<Element: Costed>(_ element: Element, _ number: Int) -> Int
  where Content == [Element] { content.count + element.price }
}
private struct HeldPair<First, Second> {
  var first: First, second: Second
  func isEqual() -> Bool where First == Second, First: Equatable { first == second }
  func price() -> Int where First: Costed { first.price }
}
private enum HeldCase<Content> {
  case full(Content)
  case empty
  func holds(_ other: Content) -> Bool where Content: Equatable {
    if case .full(let content) = self { content == other } else { false }
  }
}
private struct HeldTag<Content: Costed> {
  var content: Content
  func isSame() -> Bool where Content: Equatable { content == content }
  func plus<Other: Costed>(_ other: Other) -> Int where Content: Equatable {
    content.price + other.price
  }
}
private struct HeldWide<Content> {
  var a, b, c, d: Int
  var content: Content
  func holds(_ other: Content) -> Bool where Content: Equatable { content == other }
  func price(_ number: Int) -> Int where Content: Costed { content.price + number }
}
extension Array {
  fileprivate func begins(_ element: Element) -> Bool where Element: Equatable {
    self[0] == element
  }
}

func runContextualWhere(_ say: Say) async {
  var value = HeldValue(content: 3)
  say(line(value.isLess(), value.holds(3), value.price(4), value.sent(2), value.both(7)))
  say(line(value.text("s"), value[2], await value.later(1)))
  value.replace(8)
  say(line(value.content, HeldValue.make(4).content, HeldValue(priced: 9).content))
  say(line(HeldValue<Int?>.empty(Int.self).content as Any))
  say(line(HeldObject("x").holds("x"), HeldObject.make("q", as: String.self, 2).content))
  say(line(HeldObject<Int?>.empty(Int.self, 1).content as Any))
  say(line(HeldObject([1]).adding(2, 0), HeldObject([1]).count(5, 0)))
  say(line(HeldPair(first: 1, second: 1).isEqual(), HeldPair(first: 2, second: "b").price()))
  say(
    line(HeldCase.full("x").holds("x"), HeldTag(content: 4).isSame(), HeldTag(content: 4).plus(5)))
  let wide = HeldWide(a: 1, b: 2, c: 3, d: 4, content: 5)
  say(line(wide.holds(5), wide.price(6), [1, 2].begins(1)))
}
