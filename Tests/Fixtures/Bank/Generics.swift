// SPDX-License-Identifier: MIT

import Synchronization

/// Counts itself, so that a test sees what was released too often or never.
public final class Token: Hashable, Comparable, Titled, TitledObject, @unchecked Sendable {
  private static let count = Atomic<Int>(0)
  public static var alive: Int { count.load(ordering: .sequentiallyConsistent) }
  public let number: Int

  public init(_ number: Int) {
    self.number = number
    Self.count.add(1, ordering: .sequentiallyConsistent)
  }

  deinit { Self.count.subtract(1, ordering: .sequentiallyConsistent) }

  public static func == (left: Token, right: Token) -> Bool { left.number == right.number }
  public static func < (left: Token, right: Token) -> Bool { left.number < right.number }
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
  public func heading() -> String { "token \(number)" }
  public func stamp() -> Int { number * 10 }
}

public protocol Titled {
  func heading() -> String
}

public protocol TitledObject: AnyObject {
  func stamp() -> Int
}

public protocol Sized: Titled {
  associatedtype Unit
  var units: [Unit] { get }
}

/// Six words, one of them an object: travels by address.
public struct Chest: Titled, Equatable {
  public var token: Token
  public var sizes: (Int, Int, Int, Int, Int) = (1, 2, 3, 4, 5)
  public init(_ number: Int) { token = Token(number) }
  public func heading() -> String { "chest \(token.number)" }
  public static func == (left: Chest, right: Chest) -> Bool {
    left.token == right.token && left.sizes == right.sizes
  }
}

/// Two words: travels in registers.
public struct Tag: Titled, Hashable {
  public var token: Token
  public var level: Int
  public init(_ number: Int, level: Int) {
    token = Token(number)
    self.level = level
  }
  public func heading() -> String { "tag \(token.number)" }
}

extension Int: Titled {
  public func heading() -> String { "number \(self)" }
}

public struct Rack: Sized {
  public var units: [Token]
  public init(_ numbers: [Int]) { units = numbers.map { Token($0) } }
  public func heading() -> String { "rack" }
}

// MARK: - Free functions

public func same<T>(_ value: T) -> T { value }
public func choose<T>(_ first: T, _ second: T, _ takesSecond: Bool) -> T {
  takesSecond ? second : first
}
public func twice<T>(_ value: T) -> (T, T) { (value, value) }
public func numbered<T>(_ value: T, _ number: Int) -> (T, Int) { (value, number + 1) }
public func chestd<T>(_ value: T, _ chest: Chest) -> (T, Chest) { (value, chest) }
public func first<T>(_ values: [T]) -> T? { values.first }
public func reversedList<T>(_ values: [T]) -> [T] { values.reversed() }
public func optional<T>(_ value: T?, _ other: T) -> T { value ?? other }
public func unpaired<T>(_ pair: (T, Int)) -> (Int, T) { (pair.1, pair.0) }
public func largest<T: Comparable>(_ first: T, _ second: T) -> T { max(first, second) }
public func headings<T: Titled, U: Titled & Hashable>(_ first: T, _ second: U) -> String {
  "\(first.heading()), \(second.heading()), \(second == second)"
}
public func looked<K: Hashable, V>(_ table: [K: V], _ key: K) -> V? { table[key] }
public func tokenSame<T: Token>(_ token: T) -> T { token }
public func stamped<T: TitledObject>(_ object: T, _ factor: Int) -> Int { object.stamp() * factor }
public func contains<S: Sequence>(_ values: S, _ value: S.Element) -> Bool
where S.Element: Equatable { values.contains(value) }
public func unitCount<S: Sized>(_ value: S) -> Int where S.Unit: Titled { value.units.count }
public func firstUnit<S: Sized>(_ value: S) -> S.Unit? where S.Unit: Titled { value.units.first }
public func swapped<T>(_ first: inout T, _ second: inout T) { swap(&first, &second) }
public func consumed<T>(_ value: consuming T) -> T { value }
public func borrowed<T>(_ value: borrowing T) -> Int { 7 }
public func sent<T>(_ value: sending T) -> sending T { value }
public func some(_ value: some Titled) -> String { value.heading() }
public func make<T>() -> [T] { [] }
public func typed<T>(_ type: T.Type) -> String { "\(type)" }
public func packed<each T>(_ values: repeat each T) -> Int { 0 }
public func tried<T>(_ value: T, _ fails: Bool) throws -> T {
  if fails { throw BankError.insufficient(3) }
  return value
}
public func stackOf<T>(_ stack: Pile<T>, _ value: T) -> Int { stack.items.count }
public func stacked<A: Titled, B, C>(
  _ a: A, _ b: B, _ c: C, _ d: Int, _ e: Int, _ f: Int, _ g: Double, _ h: String
) -> String { "\(a.heading()) \(b) \(c) \(d) \(e) \(f) \(g) \(h)" }
public func anyAndNumber(_ value: Any, _ number: Int) -> (Any, Int) { (value, number) }

/// Callers whose types are known: an optimiser would call copies made for them.
public func callsSame() -> Int { same(4) + (choose(1, 2, true)) }
public func callsLargest(_ a: Double, _ b: Double) -> Double { largest(a, b) }
public func callsHeadings() -> String { headings(1, 2) }
public func callsPile() -> Int {
  let pile = Pile(one: 3)
  pile.push(4)
  return pile.count + (pile.pop() ?? 0)
}
public func callsCell() -> Int {
  var cell = Cell(5)
  cell.put(6)
  return cell.get() + cell.mapped(2).1
}
public func callsShout() -> String { Tag(1, level: 2).shout("!") }

// MARK: - Generic types

public class Pile<Element> {
  public var items: [Element]
  public init() { items = [] }
  public init(one: Element) { items = [one] }
  public func push(_ element: Element) { items.append(element) }
  public func pop() -> Element? { items.popLast() }
  public var count: Int { items.count }
  public var top: Element? {
    get { items.last }
    set { if let newValue { items.append(newValue) } }
  }
  public func paired<U>(_ other: U) -> (Element?, U) { (items.last, other) }
  public class func single(_ element: Element) -> Pile<Element> { Pile(one: element) }
  public subscript(index: Int) -> Element {
    get { items[index] }
    set { items[index] = newValue }
  }
}

extension Pile where Element: Titled {
  public func allHeadings() -> String { items.map { $0.heading() }.joined(separator: ",") }
}

extension Pile where Element == Int {
  public func total() -> Int { items.reduce(0, +) }
}

public final class IntPile: Pile<Int> {
  override public func push(_ element: Int) { super.push(element + 1) }
}

public struct Cell<Value> {
  public var value: Value
  public init(_ value: Value) { self.value = value }
  public func get() -> Value { value }
  public mutating func put(_ value: Value) { self.value = value }
  public func mapped<U>(_ other: U) -> (Value, U) { (value, other) }
  public static func of(_ value: Value) -> Cell<Value> { Cell(value) }
  public var described: String { "cell of \(value)" }
  public func matches(_ other: Cell<Value>) -> String { "\(value) \(other.value)" }
}

extension Cell where Value: Titled {
  public func title(_ suffix: String) -> String { value.heading() + suffix }
}

extension Cell where Value == Int {
  public mutating func increase(_ by: Int) { value += by }
  public func plus(_ by: Int) -> Int { value + by }
}

extension Cell: Titled where Value: Titled {
  public func heading() -> String { "cell " + value.heading() }
}

/// Its parameter is stored only by reference: it travels in registers.
public struct Roster<Entry: Hashable> {
  public var entries: [Entry]
  public init(_ entries: [Entry]) { self.entries = entries }
  public func has(_ entry: Entry) -> Bool { entries.contains(entry) }
  public mutating func add(_ entry: Entry) { entries.append(entry) }
  public static func single(_ entry: Entry) -> Roster<Entry> { Roster([entry]) }
}

extension Roster where Entry: Titled {
  public func firstHeading() -> String { entries.first?.heading() ?? "" }
}

public struct Handle<Object: AnyObject> {
  public var object: Object
  public init(_ object: Object) { self.object = object }
  public func get() -> Object { object }
}

public enum Either<Left, Right> {
  case left(Left)
  case right(Right)
  public func isLeft() -> Bool { if case .left = self { true } else { false } }
  public func swapped() -> Either<Right, Left> {
    switch self {
    case .left(let left): .right(left)
    case .right(let right): .left(right)
    }
  }
}

public struct Outer<T> {
  public struct Inner<U> {
    public var first: T
    public var second: U
    public init(_ first: T, _ second: U) {
      self.first = first
      self.second = second
    }
    public func both(_ t: T, _ u: U) -> String { "\(first) \(second) \(t) \(u)" }
  }
}

extension Outer {
  public struct Plain {
    public var value: T
    public init(_ value: T) { self.value = value }
    public func told(_ other: T) -> String { "\(value) \(other)" }
  }
}

/// Hands values of generic types to overrides and to Lua.
public final class Generics {
  public init() {}
  public func pile() -> Pile<Token> { Pile(one: Token(1)) }
  public func intPile() -> IntPile { IntPile(one: 1) }
  public func strings() -> Pile<String> { Pile(one: "a text that is long enough") }
  public func cell() -> Cell<Int> { Cell(3) }
  public func chestCell() -> Cell<Chest> { Cell(Chest(8)) }
  public func ledger() -> Roster<Token> { Roster([Token(1), Token(2)]) }
  public func handle() -> Handle<Token> { Handle(Token(4)) }
  public func either() -> Either<Int, Token> { .right(Token(5)) }
  public func inner() -> Outer<Int>.Inner<String> { Outer<Int>.Inner(1, "two") }
  public func plain() -> Outer<Int>.Plain { Outer<Int>.Plain(7) }
  public func token(_ number: Int) -> Token { Token(number) }
  public func tag(_ number: Int) -> Tag { Tag(number, level: 1) }
  public func chest(_ number: Int) -> Chest { Chest(number) }
  public func shelf() -> Rack { Rack([1, 2]) }
  public func titled(_ which: Int) -> any Titled {
    switch which {
    case 0: Token(6)
    case 1: Tag(7, level: 1)
    default: Chest(8)
    }
  }
  /// Called with a patch's Lua function as its body.
  public func run() -> String { "original" }
}

// MARK: - Extensions of protocols

extension Titled {
  public func shout(_ mark: String) -> String { heading() + mark }
  public func echoed<T>(_ value: T) -> (T, String) { (value, heading()) }
  public var decorated: String { "<" + heading() + ">" }
  public static func kind() -> String { "\(Self.self)" }
  public func itself() -> Self { self }
}

extension TitledObject {
  public func doubledStamp() -> Int { stamp() * 2 }
}

extension Sized where Unit: Titled {
  public func unitHeadings() -> String { units.map { $0.heading() }.joined(separator: " ") }
}

// MARK: - Opaque results

public func hiddenNumber() -> some Titled { 5 }
public func hiddenChest(_ number: Int) -> some Titled { Chest(number) }
public func hiddenToken() -> some Token { Token(3) }
public func hiddenObject() -> some TitledObject { Token(4) }
public func hiddenEcho<T: Titled>(_ value: T) -> some Titled { Cell(value) }
public func hiddenList() -> [some Titled] { [Tag(1, level: 1), Tag(2, level: 1)] }
public func hiddenPair() -> (some Titled, Int) { (Chest(2), 9) }

// MARK: - Typed errors

public struct Coded: Error, Equatable {
  public var code: Int
  public var text: String
  public init(code: Int, text: String) {
    self.code = code
    self.text = text
  }
}

public struct Measured: Error, Equatable {
  public var amount: Double
  public var token: Token
  public init(amount: Double, token: Token) {
    self.amount = amount
    self.token = token
  }
}

public struct Wide: Error, Equatable {
  public var a = 1, b = 2, c = 3, d = 4, e = 5
  public init() {}
}

public enum Plain: Error { case one, two }

public func typedPlain(_ number: Int) throws(Plain) -> Int {
  if number < 0 { throw .two }
  return number
}
public func typedCoded(_ number: Int) throws(Coded) -> Double {
  if number < 0 { throw Coded(code: number, text: "a text that is long enough") }
  return Double(number)
}
public func typedMeasured(_ number: Int) throws(Measured) -> String {
  if number < 0 { throw Measured(amount: 2.5, token: Token(number)) }
  return "number \(number)"
}
public func typedWide(_ number: Int) throws(Wide) -> Int {
  if number < 0 { throw Wide() }
  return number
}
public func typedChest(_ number: Int) throws(Plain) -> Chest {
  if number < 0 { throw .one }
  return Chest(number)
}
public func typedNothing(_ number: Int) throws(Plain) {
  if number < 0 { throw .two }
}
public func typedGeneric<T, E: Error>(_ value: T, _ error: E, _ fails: Bool) throws(E) -> T {
  if fails { throw error }
  return value
}
public func typedNever(_ number: Int) throws(Never) -> Int { number }

// MARK: - Requirements of library protocols' associated types

public protocol Stocked {
  associatedtype Item
  func stock() -> [Item]
}
public struct StockRow<Item>: Stocked {
  public let items: [Item]
  public init(_ items: [Item]) { self.items = items }
  public func stock() -> [Item] { items }
}

public class Store<Row: Stocked> {
  public let row: Row
  public init(row: Row) { self.row = row }
}

/// As its base class, and the associated type of a protocol of the standard library has requirements.
public final class Aisle<Rows: Collection, Row: Stocked>: Store<Row> where Rows.Element: Stocked {
  public enum Order {
    case nothing
    case from(Store<Row>)
    case all([Rows.Element.Item])
  }
  public let rows: Rows
  public init(rows: Rows, row: Row) {
    self.rows = rows
    super.init(row: row)
  }
  public func count(_ more: Int) -> Int { rows.count + more }
  public func order(_ number: Int) -> Order {
    switch number {
    case 0: .nothing
    case 1: .from(self)
    default: .all(rows.flatMap { $0.stock() })
    }
  }
  public func text(_ order: Order, _ number: Int) -> String {
    switch order {
    case .nothing: "nothing \(number)"
    case .from(let store): "\(store.row.stock()) \(number)"
    case .all(let items): "\(items) \(number)"
    }
  }
}

public struct Words<Whole: BinaryInteger, Parts: RandomAccessCollection>
where Parts.Element: FixedWidthInteger, Parts.Index == Int {
  public let parts: Parts
  public init(_ parts: Parts, as whole: Whole.Type) { self.parts = parts }
  public var width: Int { parts.count * Parts.Element.bitWidth }
  public func whole(_ index: Int, _ more: Int) -> Whole {
    Whole(truncatingIfNeeded: parts[index]) + Whole(truncatingIfNeeded: more)
  }
}
