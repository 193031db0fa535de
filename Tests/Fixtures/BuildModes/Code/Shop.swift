// SPDX-License-Identifier: MIT

// A module that is compiled without implicit dynamic.

public enum ShopError: Error {
  case empty
  case tooMuch(Int)
}

public struct Money: Equatable, Sendable {
  public var cents: Int
  public var code: String

  public init(cents: Int, code: String) {
    self.cents = cents
    self.code = code
  }

  @inline(never) public func plus(_ other: Money) -> Money {
    Money(cents: cents + other.cents, code: code + "+" + other.code)
  }

  @inline(never) public mutating func double() {
    cents *= 2
    code += "*"
  }

  @inline(never) public var text: String { "\(cents) \(code)" }

  /// It has the name of a stored property.
  @inline(never) public func code(for number: Int) -> String { "\(code) \(number - cents)" }

  @inline(never) public static func parse(_ text: String) throws -> Money {
    guard let number = Int(text) else { throw ShopError.empty }
    return Money(cents: number, code: text)
  }
}

public final class Till {
  public private(set) var log: [String] = []

  public init() {}

  @inline(never) public func ring(_ what: String, count: Int) throws -> String {
    if what.isEmpty { throw ShopError.empty }
    log.append(what)
    return "rang \(what) \(count)"
  }

  @inline(never) public func total(_ items: [Money], tax: Double) -> Double {
    items.reduce(0) { $0 + Double($1.cents) } * (1 + tax)
  }

  @inline(never) public func many(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int
  ) -> Int {
    log.removeAll()
    return a - b + c - d + e - f + g - h
  }

  /// So simple that the compiler makes a copy for calls from other modules, too.
  @inline(never) public func simple(_ a: Int, _ b: Int) -> Int { a - b }
}

public final class Router {
  private var handlers: [String: (String) throws -> String] = [:]
  private var counters: [(Int, Money) -> Money] = []

  public init() {}

  @inline(never) public func on(_ path: String, _ handler: @escaping (String) throws -> String) {
    handlers[path] = handler
  }

  /// As web frameworks take handlers: whatever they return is converted.
  @inline(never) public func onGeneric<T: CustomStringConvertible>(
    _ path: String, use handler: @escaping (String) throws -> T
  ) {
    handlers[path] = { try handler($0).description }
  }

  @inline(never) public func count(_ counter: @escaping (Int, Money) -> Money) {
    counters.append(counter)
  }

  @inline(never) public func go(_ path: String, _ argument: String) throws -> String {
    guard let handler = handlers[path] else { return "404" }
    return try handler(argument)
  }

  @inline(never) public func counted(_ number: Int, _ money: Money) -> Money {
    counters.reduce(money) { $1(number, $0) }
  }
}

@inline(never) public func greet(_ name: String, times: Int = 2) -> String {
  String(repeating: "hi " + name + " ", count: times)
}

@inline(never) public func tuple(_ number: Int) -> (Int, String, Double?) {
  (number, "t\(number)", number > 2 ? Double(number) : nil)
}

@inline(never) public func fill(_ all: inout [Int], _ number: Int) { all.append(number) }

@inline(never) public func largest<T: Comparable>(_ all: [T]) -> T? {
  all.isEmpty ? nil : all.reduce(all[0]) { $0 < $1 ? $1 : $0 }
}

/// So simple that the compiler makes copies for the types of calls from other modules.
@inline(never) public func larger<T: Comparable>(_ one: T, _ other: T) -> T {
  one < other ? other : one
}

/// Called by this module only.
@inline(never) func inner(_ number: Int) -> Int { number &* 31 ^ number }

@inline(never) public func outer(_ number: Int) -> Int { inner(number) + 1 }

/// All callers pass the same last argument, so that the optimiser makes it a part of the code and none passes it.
@inline(never) private func joined(_ first: String, _ last: String) -> String { first + last }

@inline(never) public func joins(_ number: Int) -> String {
  joined("\(number)", "b") + joined("c", "b")
}

/// Optimised code does not use the note, so that callers in this module do not pass it.
@inline(never) func noted(_ number: Int, _ note: String) -> Int {
  assert(!note.isEmpty)
  log.append(number)
  return number ^ 7
}

nonisolated(unsafe) private var log: [Int] = []

@inline(never) public func notes(_ number: Int) -> Int {
  noted(number, "a note on the heap, about \(number)") + noted(3, "\(number)")
}

/// Other modules get the code. The compiler gives it no replacement entry, whatever the flags.
@inlinable @inline(never) public func clients(_ number: Int) -> Int { number &+ 2 }

#if MARKED
  /// The only one with a replacement entry, if the module is compiled without implicit dynamic.
  @inline(never) public dynamic func marked(_ number: Int) -> Int { number + 1 }
#endif

public func inlined(_ number: Int) -> Int { number + 1 }

@inline(never) public func later(_ number: Int) async -> Int {
  await Task.yield()
  return number * 3
}
