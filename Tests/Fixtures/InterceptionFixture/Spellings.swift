// SPDX-License-Identifier: MIT

// Functions that little tells apart.

public enum SpellingHTML {}
public enum SpellingRSS {}

public struct SpellingNode<Context> {
  public var text: String
  public init(_ text: String) { self.text = text }
}

extension SpellingNode where Context == SpellingHTML {
  public func title(_ text: String) -> String { "html \(text)" }
  public var value: Int { 1 }
  public subscript(index: Int) -> Int { index + 1 }
}

extension SpellingNode where Context == SpellingRSS {
  public func title(_ text: String) -> String { "rss \(text)" }
  public var value: Int { 2 }
  public subscript(index: Int) -> Int { index + 2 }
}

public struct SpellingParser {
  public var base = 0
  public init() {}
  public init(_ text: String) throws { base = text.count }
  public init(_ number: Int) { base = number }

  public func read(_ text: String) -> Int { text.count }
  public func read(_ text: String) -> Bool { text.isEmpty }
  public func read(_ number: Int) -> Int { number }
  public func measure(_ number: Int) -> Int { number }
  public func measure(_ number: inout Int) -> Int { number }
  public func list(_ numbers: [Int]) -> Int { numbers.count }
  public func list(_ numbers: Int...) -> Int { -numbers.count }
  public func load() -> Int { base }
  public func load() async -> Int { base + 1 }
  public func show<T: Equatable>(_ value: T) -> String { "equatable" }
  public func show<T: Comparable>(_ value: T) -> String { "comparable" }
  public static func make() -> SpellingParser { SpellingParser() }
  public func make() -> Int { base }
  public subscript(_ index: Int) -> Int {
    get { base + index }
    set { base = newValue - index }
  }
  public subscript(_ index: Int) -> String { "\(base + index)" }
  public subscript(name index: String) -> Int { index.count }
  public func `a name with (odd) parts.of it`(end: Int) -> Int { end }
  public func until(until: Int, _ end: Int, end other: Int, self own: Int) -> Int { until + end }
  public func größe(für wert: Int) -> Int { wert }
  public static func + (a: SpellingParser, b: SpellingParser) -> SpellingParser { a }
  public static func ... (a: SpellingParser, b: SpellingParser) -> SpellingParser { b }
  public func run(_ body: (Int) -> String) -> String { body(base) }
  public func run(_ body: (Int) -> Int) -> Int { body(base) }
}

private struct SpellingTwin {
  func name() -> String { "here" }
  static func make() -> SpellingTwin { SpellingTwin() }
}

extension SpellingParser {
  private func hidden() -> String { SpellingTwin.make().name() }
  public var hiddenHere: String { hidden() }
}

extension BidirectionalCollection {
  public func spelledBackwards() -> [Element] { reversed() }
}

extension Optional where Wrapped == Int {
  public func spelledOrZero() -> Int { self ?? 0 }
}

extension Array where Element: Comparable {
  public func spelledLargest() -> Element? { self.max() }
}

/// Uses what nothing else does, so that it is kept.
public func useSpellings() async -> String {
  var parser = SpellingParser()
  var number = 3
  let integer: Int = parser.read("abc")
  let isEmpty: Bool = parser.read("")
  parser[1] = 5
  let text: String = parser[2]
  let html = SpellingNode<SpellingHTML>("a")
  let rss = SpellingNode<SpellingRSS>("b")
  return [
    "\(integer)", "\(isEmpty)", "\(parser.read(1))", text, "\(parser[2] as Int)",
    "\(parser[name: "x"])", "\(parser.measure(1))", "\(parser.measure(&number))",
    "\(parser.list([1, 2]))", "\(parser.list(1, 2))", "\(await parser.load())",
    parser.show(1), parser.show(true), "\(SpellingParser.make().make())",
    "\(parser.`a name with (odd) parts.of it`(end: 1))",
    "\(parser.until(until: 1, 2, end: 3, self: 4))", "\(parser.größe(für: 1))",
    "\((parser + parser).base)", "\((parser ... parser).base)", parser.run { "\($0)" },
    "\(parser.run { $0 + 1 })", parser.hiddenHere, spellingsElsewhere(), html.title("x"),
    rss.title("x"), "\(html.value)", "\(rss.value)", "\(html[1])", "\(rss[1])",
    "\("abc".spelledBackwards())", "\(Int?.none.spelledOrZero())",
    "\([1, 2].spelledLargest() ?? 0)",
  ].joined(separator: " ")
}
