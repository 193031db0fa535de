// SPDX-License-Identifier: MIT

/// A text that Swift code writes as a literal, as the message of a logger.
public struct Memo: ExpressibleByStringInterpolation, Equatable, CustomStringConvertible {
  let text: String
  public init(stringLiteral text: String) { self.text = text }
  public var description: String { text }
}

/// What a logger's metadata consists of: Swift code writes literals.
public enum Detail: ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByIntegerLiteral, CustomStringConvertible
{
  case unknown
  case string(String)
  case number(Int)
  case list([Detail])
  case table([String: Detail])

  public init(stringLiteral text: String) { self = .string(text) }
  public init(integerLiteral number: Int) { self = .number(number) }
  public init(arrayLiteral elements: Detail...) { self = .list(elements) }
  public init(dictionaryLiteral elements: (String, Detail)...) {
    self = .table(Dictionary(uniqueKeysWithValues: elements))
  }

  public var description: String {
    switch self {
    case .unknown: "?"
    case .string(let text): text
    case .number(let number): "#\(number)"
    case .list(let list): "[" + list.map(\.description).joined(separator: ",") + "]"
    case .table(let table): Self.text(table)
    }
  }

  static func text(_ table: [String: Detail]) -> String {
    "{" + table.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
      + "}"
  }
}

/// Whose literal ends the program if it is not what it should be.
public struct Strict: ExpressibleByStringLiteral {
  let text: String
  public init(stringLiteral text: String) {
    precondition(text == "strict")
    self.text = text
  }
}

/// Literals of the other kinds.
public struct Load: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  var grams: Double
  public init(integerLiteral grams: Int) { self.grams = Double(grams) }
  public init(floatLiteral kilograms: Double) { grams = kilograms * 1000 }
  public init(booleanLiteral isHeavy: Bool) { grams = isHeavy ? 1_000_000 : 0 }
}

/// Parameters that are autoclosures, and values of types that have literals.
public final class Lazies {
  public var memo: Memo = "m"
  public var memos: [Memo] = []
  public var details: [String: Detail] = [:]
  private var kept: [() throws -> Token] = []

  public init() {}

  public func twice(_ number: @autoclosure () -> Int) -> Int { number() + number() }
  public func optional(_ number: @autoclosure () -> Int?) -> Int { number() ?? -1 }
  public func either(_ number: @autoclosure () -> Int, or other: @autoclosure () -> Int) -> Int {
    number() == 0 ? other() : number()
  }
  public func throwing(_ text: @autoclosure () throws -> String) rethrows -> String {
    "<\(try text())>"
  }
  public func pair(_ pair: @autoclosure () -> (Int, name: String)) -> String {
    "\(pair().0) \(pair().name)"
  }
  public func generic<Value>(_ value: @autoclosure () -> Value) -> String {
    "\(Value.self) \(value())"
  }
  public func keep(_ token: @autoclosure @escaping () throws -> Token) { kept.append(token) }
  public func last() -> Token? { try? kept.last?() }
  public func drop() { kept = [] }
  public func shown(_ number: @autoclosure () -> Int) -> Int { number() }

  public func log(
    _ memo: @autoclosure () -> Memo, details: @autoclosure () -> [String: Detail]? = nil,
    source: @autoclosure () -> String? = nil, file: String = #fileID, line: UInt = #line
  ) -> String {
    "\(memo()) \(details().map(Detail.text) ?? "-") \(source() ?? "-") \(line)"
  }
  public func log(
    _ memo: @autoclosure () -> Memo, failure: @autoclosure () -> (any Error)? = nil,
    details: @autoclosure () -> [String: Detail]? = nil, source: @autoclosure () -> String? = nil,
    file: String = #fileID, line: UInt = #line
  ) -> String { "\(memo()) failed \(line)" }

  public func write(_ memo: Memo) -> String { "memo \(memo)" }
  public func write(all memos: [Memo]) -> String { "\(memos)" }
  public func latest() -> Memo { memo }
  public func weigh(_ weight: Load) -> Double { weight.grams }
  public func detail(_ detail: Detail) -> String { "\(detail)" }

  /// What a type is named for, where the result alone would tell it in Swift.
  public func promise<Value>(
    of type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line
  ) -> String { "\(Value.self)" }
  public func failed<Value>(_ reason: String) -> Value? { nil }

  public func open(_ text: String) -> String { "text \(text)" }
  public func open(_ strict: Strict) -> String { "strict \(strict.text)" }
  public func open(all strict: [String: Strict]) -> String { "strict \(strict.count)" }
  public func open(all texts: [String: String]) -> String { "texts \(texts.count)" }
}
