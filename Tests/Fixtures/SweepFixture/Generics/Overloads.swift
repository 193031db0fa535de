// SPDX-License-Identifier: MIT

/// Phantom contexts that tell overloads apart.
enum HTML {}
enum Feed {}

struct Node<Context> {
  var text: String
  func wrapped(_ tag: String) -> Node<Context> { Node(text: "<\(tag)>\(text)</\(tag)>") }
}

extension Node where Context == HTML {
  static func title(_ text: String) -> Node { Node(text: text).wrapped("title") }
  func rendered() -> String { "html " + text }
}

extension Node where Context == Feed {
  static func title(_ text: String) -> Node { Node(text: text).wrapped("feed:title") }
  func rendered() -> String { "feed " + text }
}

private func gathered<S: Sequence>(_ items: S) -> String where S.Element == Int {
  "ints \(items.reduce(0, +))"
}
private func gathered<S: Sequence>(_ items: S) -> String where S.Element == String {
  "texts " + items.joined()
}

/// Overloads by parameter, by result, by effect.
struct Converter {
  var factor = 2
  func value(_ number: Int) -> Int { number * factor }
  func value(_ number: Double) -> Double { number * Double(factor) }
  func value(_ text: String) -> String { String(repeating: text, count: factor) }
  func value(_ list: [Int]) -> [Int] { list.map { $0 * factor } }
  func value<T: Named>(_ named: T) -> String { named.name }
  func parsed(_ text: String) -> Int? { Int(text) }
  func parsed(_ text: String) -> Double? { Double(text) }
  func parsed(_ text: String) -> String { text + "?" }
  func wait(_ number: Int) -> Int { number }
  func wait(_ number: Int) async -> Int {
    await Task.yield()
    return number * 10
  }
  mutating func set(factor: Int) { self.factor = factor }
  mutating func set(_ factor: Int) { self.factor = factor + 1 }
}

private func pick(_ a: Int, _ b: Int = 2) -> String { "ints \(a) \(b)" }
private func pick(_ a: Int, _ b: String) -> String { "text \(a) \(b)" }
private func pick(_ a: Int..., named: String) -> String { "many \(a) \(named)" }

private func syncWait(_ converter: Converter) -> Int { converter.wait(5) }

func runOverloads(_ say: Say) async {
  say("html \(Node<HTML>.title("t").rendered()) \(Node<Feed>.title("u").rendered())")
  say("gathered \(gathered([1, 2])) \(gathered(["a", "b"])) \(gathered(1...4))")
  say("wrapped \(Node<Feed>.title("b").wrapped("x").text)")
  var converter = Converter()
  say("types \(names([Converter.self]))")
  say("value \(converter.value(3)) \(converter.value(1.5)) \(converter.value("z"))")
  converter.set(4)
  say("list \(converter.value([1])) \(converter.value(Flag(name: "f")))")
  converter.set(factor: 3)
  say("flag \(Flag(name: "g").hail()) \(Flag.kind) \(Converter(factor: 5).factor)")
  let int: Int? = converter.parsed("12")
  let double: Double? = converter.parsed("1.5")
  let text: String = converter.parsed("x")
  say("parsed \(int ?? -1) \(double ?? -1) \(text) \(converter.value(1))")
  say("wait \(await converter.wait(5)) \(syncWait(converter))")
  say("pick \(pick(1)) \(pick(1, 3)) \(pick(1, "q")) \(pick(1, 2, named: "n"))")
}

private struct Flag: Named {
  var name: String
  func hail() -> String { "flag" }
  static var kind: String { "flag" }
}
