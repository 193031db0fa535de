// SPDX-License-Identifier: MIT

extension String {
  func shouted(_ mark: Character = "!") -> String { uppercased() + String(mark) }
  mutating func takeFirst() -> Character? { isEmpty ? nil : removeFirst() }
  var middle: Substring { dropFirst().dropLast() }
  var firstWord: String {
    get { String(prefix { $0 != " " }) }
    set { self = newValue + drop { $0 != " " } }
  }
  subscript(position position: Int) -> Character { self[index(startIndex, offsetBy: position)] }
  static func ruler(_ length: Int) -> String { String(repeating: "-", count: length) }
  init(times: Int, of text: String) { self = String(repeating: text, count: times) }
}

extension Int {
  func squared() -> Int { self * self }
  mutating func double() { self *= 2 }
  var isOdd: Bool { self & 1 == 1 }
  subscript(digit digit: Int) -> Int {
    var rest = self
    for _ in 0..<digit { rest /= 10 }
    return rest % 10
  }
  mutating func halve() throws {
    let odd = isOdd
    self /= 2
    if odd { throw PurseError.short(by: self) }
  }
}

extension Double {
  fileprivate func halved() -> Double { self / 2 }
}

extension Bool {
  fileprivate mutating func flip() -> Bool {
    toggle()
    return !self
  }
}

extension Array where Element == Int {
  func total() -> Int { reduce(0, +) }
  mutating func take() -> Int? { isEmpty ? nil : removeLast() }
  var ends: (Int, Int)? { first.map { ($0, last!) } }
}

extension Array {
  func pairs() -> [(Element, Element)] { [(Element, Element)](zip(self, dropFirst())) }
  mutating func rotate() {
    if let first {
      append(first)
      removeFirst()
    }
  }
  func second() -> Element? { count > 1 ? self[1] : nil }
}

extension Dictionary where Key == String {
  func value(_ keys: String...) -> Value? { keys.lazy.compactMap { self[$0] }.first }
  mutating func move(_ key: String, to other: String) { self[other] = removeValue(forKey: key) }
}

extension Optional {
  func orDie(_ other: @autoclosure () -> Wrapped) -> Wrapped { self ?? other() }
  mutating func drain() -> Wrapped? {
    defer { self = nil }
    return self
  }
}

extension Optional where Wrapped == String {
  var orEmpty: String { self ?? "" }
}

extension Set where Element == Int {
  fileprivate func evens() -> [Int] { filter { !$0.isOdd }.sorted() }
}

extension BidirectionalCollection where Element: Equatable {
  func isMirrored() -> Bool { elementsEqual(reversed()) }
  func lastPosition(of element: Element) -> Int? {
    lastIndex(of: element).map { distance(from: startIndex, to: $0) }
  }
}

extension Sequence {
  func tallied() -> Int { reduce(0) { count, _ in count + 1 } }
}

extension Sequence where Element: Comparable {
  func bounds() -> (low: Element, high: Element)? {
    guard let low = self.min(), let high = self.max() else { return nil }
    return (low, high)
  }
}

func runLibraryExtensions(_ say: Say) {
  var text = "héllo world"
  say("text \(text.shouted()) \(text.shouted("?")) \(text.middle) \(text[position: 1])")
  text.firstWord = "bye"
  say("first \(text.firstWord) \(text) \(text.takeFirst() ?? "-") \(text)")
  var empty = ""
  say("empty \(empty.takeFirst() == nil) \(String.ruler(3)) \(String(times: 2, of: "ab"))")
  var number = 21
  number.double()
  say("number \(number) \(number.squared()) \(number.isOdd) \(1234[digit: 2]) \(0.5.halved())")
  var odd = 7
  do { try odd.halve() } catch { say("odd \(odd) \(error)") }
  do { try number.halve() } catch { say("never") }
  var flag = true
  say("number \(number) \(flag.flip()) \(flag)")
}

func runCollectionExtensions(_ say: Say) {
  var list = [3, 1, 2]
  list.rotate()
  say("list \(list) \(list.total()) \(list.pairs().count) \(list.second() ?? -1)")
  say("take \(list.take() ?? -1) \(list) \(String(describing: list.ends))")
  var none: [Int] = []
  say("none \(none.take() == nil) \(none.ends == nil) \(none.second() == nil)")
  var words = ["a", "b"]
  words.rotate()
  say("words \(words) \(words.pairs())")
  var fields = ["x": 1.5, "y": 2]
  fields.move("x", to: "z")
  say("fields \(fields.value("q", "z") ?? -1) \(fields.value() == nil) \(fields.count)")
  var some: Int? = 5
  say("some \(some.orDie(9)) \(some.drain() ?? -1) \(some.orDie(9)) \(some == nil)")
  let missing: String? = nil
  say("missing \(missing.orEmpty)| \(Optional("q").orEmpty) \(Set([1, 2, 4]).evens())")
  say("mirrored \("abba".isMirrored()) \([1, 2].isMirrored()) \((1...3).isMirrored())")
  say("position \("abcb".lastPosition(of: "b") ?? -1) \([1.5].lastPosition(of: 2) == nil)")
  say("tallied \((0..<7).tallied()) \("wörld".tallied()) \(String(describing: [2, 9, 4].bounds()))")
  say("bounds \([String]().bounds() == nil) \("hello".bounds()!.high)")
}
