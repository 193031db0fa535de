// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

public struct WideRecord: Equatable, Sendable {
  public var a = 1, b = 2, c = 3, d = 4, e = 5
  public init(_ a: Int) { self.a = a }
}

public struct Rule {
  public var name: String
  public var check: (Int) -> Bool
  public var note: (() -> String)?

  public init(name: String, check: @escaping (Int) -> Bool) {
    self.name = name
    self.check = check
  }
}

/// Something that counts how many of it are alive.
public final class Pledge {
  public static let census = Census()
  public let number: Int

  public init(_ number: Int) {
    self.number = number
    Self.census.born()
  }

  deinit { Self.census.died() }
}

/// Functions that take, keep and return closures.
public final class Closures: @unchecked Sendable {
  public static let census = Census()

  public init() { Self.census.born() }
  deinit { Self.census.died() }

  // Kept.
  public var handler: ((Int) -> Int)?
  public var always: (String) -> String = { $0 + "." }
  public var thrower: (Int) throws -> Int = { $0 }
  public var handlers: [(Int) -> Int] = []
  public var named: [String: (String, Int) -> String] = [:]
  public var factory: (() -> Pledge)?
  public var list: (() -> [Int])?
  public var anything: Any?
  public var rule = Rule(name: "none") { _ in false }
  public var pair: (String, (Int) -> Int) = ("pair", { $0 })

  // Non-escaping.
  public func age(_ years: Int, _ change: (Int) -> Int) -> Int { change(years) }
  public func each(_ numbers: [Int], _ body: (Int, String) -> Void) {
    for number in numbers { body(number, "n\(number)") }
  }
  public func attempt(_ body: (Int) throws -> String) -> String {
    do { return try body(7) } catch { return "caught \(error)" }
  }
  public func rethrowing(_ body: () throws -> Int) rethrows -> Int { try body() + 1 }
  public func lazily(_ condition: Bool, _ value: @autoclosure () -> Int) -> Int {
    condition ? value() : -1
  }

  // Escaping.
  public func keep(_ handler: @escaping (Int) -> Int) { self.handler = handler }
  public func maybe(_ handler: ((Int) -> Int)?) -> Int { handler?(5) ?? -1 }
  public func kept() -> ((Int) -> Int)? { handler }
  public func adder(_ n: Int) -> (Int) -> Int { { $0 + n } }
  public func run(_ n: Int) -> Int { handler?(n) ?? -1 }
  public func runAll(_ n: Int) -> [Int] { handlers.map { $0(n) } }
  public func add(_ handler: @escaping (Int) -> Int) { handlers.append(handler) }
  public func total(_ handlers: [(Int) -> Int]) -> Int { handlers.reduce(0) { $0 + $1(1) } }
  public func total(of handlers: ((Int) -> Int)...) -> Int { total(handlers) }
  public func table(_ handlers: [String: (String, Int) -> String]) -> [String] {
    handlers.keys.sorted().map { handlers[$0]!($0, 3) }
  }
  public func tuple(_ pair: (name: String, change: (Int) -> Int)) -> String {
    "\(pair.name) \(pair.change(1))"
  }
  public func tuples(_ pairs: [(String, (Int) -> Int)]) -> [String] {
    pairs.map { "\($0.0) \($0.1(1))" }
  }
  public func optionals(_ handlers: [((Int) -> Int)?]) -> [Int] { handlers.map { $0?(1) ?? 0 } }
  public func any(_ value: Any) -> Int { (value as? (Int) -> Int)?(20) ?? -1 }
  public func asAny(_ n: Int) -> Any {
    let f: (Int) -> Int = { $0 * n }
    return f
  }
  public func apply(_ rule: Rule, _ n: Int) -> Bool { rule.check(n) }
  public func later(_ n: Int, _ body: @escaping @Sendable (Int) -> Int) -> Int {
    let result = Mutex(0)
    let done = DispatchSemaphore(value: 0)
    Thread {
      let value = body(n)
      result.withLock { $0 = value }
      done.signal()
    }.start()
    done.wait()
    return result.withLock { $0 }
  }

  // Of all types.
  public typealias Echo<T> = (T, Bool, Int32, Int, Float, Double, Closures) -> T
  private func echo<T>(_ value: T, _ body: Echo<T>) -> T {
    body(value, true, -32, 1 << 40, 0.5, 0.25, self)
  }
  public func void(_ body: (Bool, Int32, Int, Float, Double, Closures) -> Void) {
    body(true, -32, 1 << 40, 0.5, 0.25, self)
  }
  public func int(_ body: (Int, Bool, Int32, Int, Float, Double, Closures) -> Int) -> Int {
    body(7, true, -32, 1 << 40, 0.5, 0.25, self)
  }
  public func bool(_ body: (Bool, Bool, Int32, Int, Float, Double, Closures) -> Bool) -> Bool {
    body(true, true, -32, 1 << 40, 0.5, 0.25, self)
  }
  public func int32(_ body: (Int32, Bool, Int32, Int, Float, Double, Closures) -> Int32) -> Int32 {
    body(-9, true, -32, 1 << 40, 0.5, 0.25, self)
  }
  public func string(
    _ body: (String, Bool, Int32, Int, Float, Double, Closures) -> String
  ) -> String {
    body("a string that is long enough", true, -32, 1 << 40, 0.5, 0.25, self)
  }
  public func object(
    _ body: (Pledge, Bool, Int32, Int, Float, Double, Closures) -> Pledge
  ) -> Pledge {
    body(Pledge(3), true, -32, 1 << 40, 0.5, 0.25, self)
  }
  public func float(_ body: (Float, Bool, Int32, Int, Float, Double, Closures) -> Float) -> Float {
    body(1.5, true, -32, 1 << 40, 0.5, 0.25, self)
  }
  public func double(
    _ body: (Double, Bool, Int32, Int, Float, Double, Closures) -> Double
  ) -> Double {
    body(2.5, true, -32, 1 << 40, 0.5, 0.25, self)
  }
  public func pointer(
    _ value: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, Bool, Int32, Int, Float, Double, Closures) -> UnsafeRawPointer
  ) -> UnsafeRawPointer {
    body(value, true, -32, 1 << 40, 0.5, 0.25, self)
  }
  public func generic(_ numbers: [Int], _ body: [(Closures, Int, String?) -> Int]) -> [Int] {
    numbers.map { echoing($0, body[0]) }
  }
  private func echoing(_ n: Int, _ body: (Closures, Int, String?) -> Int) -> Int {
    body(self, n, n > 1 ? "\(n)" : nil)
  }
  public func many(
    _ body: (
      Int, Int, Int, Int, Int, Int, Int, Int, Double, Double, Double, Double, Double, Double,
      Double, Double, Double, String
    ) -> String
  ) -> String {
    body(1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 9, "end")
  }
  public func variadic(_ body: (String, Int...) -> Int) -> Int { body("a", 1, 2, 3) }
  public func wide(_ body: (WideRecord, WideRecord?) -> WideRecord) -> WideRecord {
    body(WideRecord(10), nil)
  }
  public func twoValues(_ body: (Int) -> (Int, String)) -> String {
    let (n, s) = body(1)
    return "\(n) \(s)"
  }
  public func tupled(_ body: ((Int, String), Int) -> Int) -> Int { body((1, "one"), 2) }
  public func tupledAll(_ bodies: [((Int, String), Int) -> (Int, String)]) -> String {
    let (n, s) = bodies[0]((1, "one"), 2)
    return "\(n) \(s)"
  }
  public func changing(_ body: (inout Int, inout String, Int) -> Bool) -> String {
    var n = 1
    var s = "a string that is long enough"
    let result = body(&n, &s, 3)
    return "\(n) \(s) \(result)"
  }
  public func owning(_ body: (__owned Pledge, consuming String) -> Int) -> Int {
    body(Pledge(5), "a string that is long enough")
  }
  public func nested(_ body: ((Int) -> Int, Int) -> Int) -> Int { body({ $0 * 100 }, 4) }
  public func takesInner(_ outer: (_ inner: @escaping (Int, String) -> String) -> String) -> String
  {
    outer { n, s in "\(s)\(n)" }
  }
  public func inner() -> ((Int) -> Int) -> String { { body in "inner \(body(6))" } }
  public func innerAll() -> [((Int) -> Int) -> String] { [{ body in "inner \(body(6))" }] }
  public func maker(_ make: (Int) -> (Int) -> Int) -> Int { make(10)(1) }
  public func strings() -> () -> String { { "from Swift" } }
  public func dictionaries() -> (Int) -> [String: Int] { { ["n": $0] } }
  public func holder(_ token: Pledge) -> () -> Int { { token.number } }
  public func objects() -> (Int) -> Pledge { { Pledge($0) } }
  public func optionalResults() -> (Int) -> String? { { $0 > 0 ? "\($0)" : nil } }
  public func failing() -> (Int) throws -> Int {
    { if $0 < 0 { throw BankError.insufficient($0) } else { return $0 } }
  }
  public func wides() -> (WideRecord) -> WideRecord {
    {
      var w = $0
      w.e += w.a
      return w
    }
  }
  public func changers() -> (inout Int, String) -> String {
    {
      $0 += 1
      return $1 + "!"
    }
  }
  public func anys() -> (Any, Any?) -> Any { { a, b in b == nil ? a : b! } }
  public func stored(_ make: () -> Pledge) -> Int { make().number }
  public func throwing(_ make: () throws -> Pledge) -> String {
    do { return "token \(try make().number)" } catch { return "caught" }
  }
  public func mainActor(_ body: @MainActor (Int) -> Int) -> Int { 1 }
  public func typedAsync(_ body: () async -> Int) -> Int { 1 }
  public func cFunction(_ body: @convention(c) (Int32) -> Int32) -> Int32 { body(1) }
}

/// A generic type that stores closures.
public struct Slot<Value> {
  public var value: Value
  public var make: () -> Value

  public init(_ value: Value) {
    self.value = value
    make = { value }
  }
}

extension Closures {
  public func slot(_ slot: Slot<(Int) -> Int>) -> Int { slot.value(1) }
  /// Calls `echo` with a closure of a generic pattern, so that the compiler must re-abstract it.
  public func echoed(_ body: @escaping Echo<Int>) -> Int { echo(7, body) }
}
