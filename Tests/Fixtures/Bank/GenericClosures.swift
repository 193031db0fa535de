// SPDX-License-Identifier: MIT

// Functions and types that are generic over what closures take and return.

public struct Twin<A, B> {
  public var a: A
  public var b: B
  public init(_ a: A, _ b: B) {
    self.a = a
    self.b = b
  }
}

public func transformed<T, U>(_ values: [T], _ body: (T) throws -> U) rethrows -> [U] {
  var results: [U] = []
  for value in values { results.append(try body(value)) }
  return results
}
public func visited<T>(_ values: [T], _ body: (T, Int, [T]) -> Void) {
  for (index, value) in values.enumerated() { body(value, index, values) }
}
public func folded<T, R>(_ values: [T], _ start: R, _ step: (R, T) -> R) -> R {
  values.reduce(start, step)
}
public func tupleTurned<T>(_ value: T, _ body: ((T, Int)) -> (T, Int)) -> (T, Int) {
  body((value, 4))
}
public func tupleSplit<T>(_ value: T, _ body: (T) -> (Int8, (Int8, Int32), T)) -> (Int32, T) {
  let (a, (b, c), d) = body(value)
  return (Int32(a) * 10000 + Int32(b) * 100 + c, d)
}
public func changedInside<T>(_ value: T, _ body: (inout T, inout Int, Int) -> [T]) -> (T, Int) {
  var value = value
  var number = 1
  let values = body(&value, &number, 5)
  return (values.last ?? value, number)
}
public func maybeCalled<T>(_ value: T, _ body: ((T) -> T)?) -> T { body?(value) ?? value }
public func allCalled<T>(_ value: T, _ bodies: [(T) -> T]) -> T {
  bodies.reduce(value) { $1($0) }
}
public func namedCalled<T>(_ value: T, _ bodies: [String: (T) -> T]) -> T {
  bodies.keys.sorted().reduce(value) { bodies[$1]!($0) }
}
public func variadicCalled<T>(_ value: T, _ bodies: ((T) -> T)...) -> T {
  bodies.reduce(value) { $1($0) }
}
public func twiceOver<T>(_ body: @escaping (T) -> T) -> (T) -> T { { body(body($0)) } }
public func constantly<T>(_ value: T) -> () -> T { { value } }
public func composed<A, B, C>(_ f: @escaping (A) -> B, _ g: @escaping (B) -> C) -> (A) -> C {
  { g(f($0)) }
}
public func curried<A, B, C>(_ f: @escaping (A, B) -> C) -> (A) -> (B) -> C {
  { a in { b in f(a, b) } }
}
public func lazyValue<T>(_ condition: Bool, _ value: @autoclosure () -> T, _ other: T) -> T {
  condition ? value() : other
}
public func typedThrough<T, E: Error>(
  _ value: T, _ body: (T) throws(E) -> T
) throws(E) -> T { try body(value) }
public func classMapped<T: Token>(_ object: T, _ body: (T, T?) -> T) -> T { body(object, nil) }
public func kindTold<T>(_ value: T, _ body: (T.Type, T?, Int.Type) -> String) -> String {
  body(T.self, value, Int.self)
}
public func closuresPassed<T>(
  _ value: T, _ body: (@escaping (T) -> Int, (Int) -> T, Int) -> (Int) -> T
) -> T {
  body({ _ in 7 }, { _ in value }, 3)(9)
}
public func structsPassed<T>(
  _ value: T, _ body: (Twin<Int, T>, Twin<[T], Int>) -> Twin<T, T>?
) -> (T, Int) {
  let twin = body(Twin(5, value), Twin([value, value], 6))
  return twin.map { ($0.b, 1) } ?? (value, 0)
}
public func handedOver<T>(_ value: T, _ body: (consuming T, __owned String) -> T) -> T {
  body(value, "a text that is long enough")
}
public func spreadOver<T>(_ value: T, _ body: (T, T...) -> Int) -> Int { body(value, value, value) }
public func keyed<T, K: Hashable>(_ values: [T], _ key: (T) -> K) -> [K: [T]] {
  Dictionary(grouping: values, by: key)
}
public func leastOf<T, K: Comparable>(_ values: [T], _ key: (T) -> K) -> T? {
  values.min { key($0) < key($1) }
}
public func kept<S: Sequence>(_ values: S, _ keeps: (S.Element) -> Bool) -> [S.Element] {
  values.filter(keeps)
}
public func sameBody<F>(_ body: F) -> F { body }
public func callsSameBody(_ n: Int) -> Int {
  let body: (Int) -> Int = { $0 + n }
  return sameBody(body)(1)
}
public func plainBeside<T>(_ value: T, _ body: (Int, String) -> Int) -> Int { body(1, "ab") }

// MARK: - Types that store closures

public struct Reaction<Value> {
  public var react: (Value) -> Int
  public var list: ((Value, Int) -> [Value])?
  public var plain: (Int, String) -> Int = { $0 + $1.count }
  public var make: () -> Value
  public var pair: (Int, (Value) -> Value)
  public var twin: Twin<(Value) -> Value, Int>
  public init(_ value: Value, _ react: @escaping (Value) -> Int) {
    self.react = react
    make = { value }
    pair = (3, { $0 })
    twin = Twin({ $0 }, 4)
  }
  public func ran(_ value: Value) -> String {
    let listed = list.map { "\($0(value, 2).count)" } ?? "none"
    return "\(react(value)) \(listed) \(plain(1, "ab")) \(make()) \(pair.1(value)) \(twin.a(value))"
  }
  public func with(_ react: @escaping (Value) -> Int) -> Reaction<Value> {
    var copy = self
    copy.react = react
    return copy
  }
}

public enum Trigger<Value> {
  case never
  case on((Value) -> Bool)
  case both((Value) -> Value, Value)
  indirect case later(() -> Trigger<Value>)
  public func fires(_ value: Value) -> String {
    switch self {
    case .never: "never"
    case .on(let test): "on \(test(value))"
    case .both(let change, let own): "both \(change(own)) \(change(value))"
    case .later(let next): "later " + next().fires(value)
    }
  }
}

public class Signal<Value> {
  public var observers: [(Value) -> Void] = []
  public var filter: ((Value) -> Bool)?
  public var map: (Value) -> Value = { $0 }
  public init() {}
  public func subscribe(_ observer: @escaping (Value) -> Void) { observers.append(observer) }
  public func emit(_ value: Value) -> Int {
    if filter?(value) == false { return 0 }
    for observer in observers { observer(map(value)) }
    return observers.count
  }
  public func each(_ values: [Value], _ body: (Value) -> Int) -> Int {
    values.reduce(0) { $0 + body($1) }
  }
  public func mapped<U>(_ values: [Value], _ body: (Value) -> U) -> [U] { values.map(body) }
  public var mapper: (Value) -> Value { { [map] in map(map($0)) } }
}

public final class TextSignal: Signal<String> {
  public var own: (String) -> String = { $0 + "~" }
}

public final class Reactions {
  public init() {}
  public func signal() -> Signal<Int> { Signal() }
  public func textSignal() -> TextSignal { TextSignal() }
  public func tokenSignal() -> Signal<Token> { Signal() }
  public func reaction() -> Reaction<Int> { Reaction(5) { $0 * 2 } }
  public func textReaction() -> Reaction<String> { Reaction("five") { $0.count } }
  public func trigger(_ which: Int) -> Trigger<Int> {
    switch which {
    case 0: .never
    case 1: .on { $0 > 3 }
    case 2: .both({ $0 * 10 }, 7)
    default: .later { .on { $0 > 30 } }
    }
  }
  public func fires(_ trigger: Trigger<Int>, _ value: Int) -> String { trigger.fires(value) }
  public func ran(_ reaction: Reaction<Int>, _ value: Int) -> String { reaction.ran(value) }
  public func numbers() -> (Int) -> Double { { Double($0) / 2 } }
}

extension Titled {
  public func described(by body: (Self, Int) -> String) -> String { body(self, 3) }
  public func describer() -> (Int) -> Self { { _ in self } }
}

extension TitledObject {
  public func stamped(by body: (Self, Int) -> Self) -> Int { body(self, 3).stamp() }
}

extension Sized where Unit: Titled {
  public func firstUnit(where test: (Unit) -> Bool) -> Unit? { units.first(where: test) }
}

/// Overrides a method of a generic class: how its own closure is called, its type says.
public final class LoudSignal: Signal<Int> {
  override public func each(_ values: [Int], _ body: (Int) -> Int) -> Int {
    super.each(values, body) * 100
  }
}

/// Of five words, none of which depends on the parameter: told by its address who it is.
public struct Manifest<Item> {
  public var items: [Item]
  public var others: [Item] = []
  public var counts = (1, 2, 3)
  public init(_ items: [Item]) { self.items = items }
  public func has(_ item: Item, _ isSame: (Item, Item) -> Bool) -> Bool {
    items.contains { isSame($0, item) }
  }
  public var size: Int { items.count + counts.2 }
  public func paired<Other>(_ other: Other) -> (Item?, Other) { (items.first, other) }
}
