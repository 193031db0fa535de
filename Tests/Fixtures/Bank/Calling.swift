// SPDX-License-Identifier: MIT

import Synchronization

/// Functions of the same name, with default values, and variadic.
public protocol Shelving {}

extension Shelving {
  public func shelve(_ number: Int) -> Int { number + 1 }
}

open class Desk: Shelving {
  public var log: [String] = []

  public init() { log.append("init()") }
  public init(_ text: String) { log.append("init(_: \(text))") }
  public init(string: String) { log.append("init(string: \(string))") }
  init(name: String, floor: Int = 3, open: Bool = true) {
    log.append("init(name: \(name), floor: \(floor), open: \(open))")
  }

  // MARK: By count, by type, by labels

  public func book() -> String { "book()" }
  public func book(_ a: Int) -> String { "book(Int)" }
  public func book(_ a: Int, _ b: Int) -> String { "book(Int, Int)" }

  public func sort(_ a: Int) -> String { "Int" }
  public func sort(_ a: Double) -> String { "Double" }
  public func sort(_ a: String) -> String { "String" }
  public func sort(_ a: Bool) -> String { "Bool" }
  public func sort(_ a: [Int]) -> String { "[Int]" }
  public func sort(_ a: [String]) -> String { "[String]" }
  public func sort(_ a: [String: Int]) -> String { "[String: Int]" }
  public func sort(_ a: Slip) -> String { "Slip" }
  public func sort(_ a: Desk) -> String { "Desk" }
  public func sort(_ a: FrontDesk) -> String { "FrontDesk" }
  public func sort(_ a: Any) -> String { "Any" }

  public func weigh(_ a: Int32) -> String { "Int32" }
  public func weigh(_ a: UInt8) -> String { "UInt8" }
  public func weigh(_ a: Double) -> String { "Double" }
  public func weigh(_ a: String) -> String { "String" }
  public func weigh(_ a: [UInt8]) -> String { "[UInt8]" }
  public func weigh(_ a: Compass) -> String { "Compass" }
  public func weigh<T: Titled>(_ a: T) -> String { "\(T.self)" }
  public func tip(_ a: UInt8) -> String { "UInt8" }
  public func tip(_ a: Float) -> String { "Float" }
  public func tip(_ a: Double?) -> String { "Double?" }

  public func seek(_ a: String) -> String { "seek(_:)" }
  public func seek(string: String) -> String { "seek(string:)" }
  public func seek(path: String) -> String { "seek(path:)" }

  public func find(string: String) -> String { "find(string:)" }
  public func find(path: String) -> String { "find(path:)" }

  public func cross(_ a: Int, _ b: Any) -> String { "Int, Any" }
  public func cross(_ a: Any, _ b: Int) -> String { "Any, Int" }
  public func twin(first: Int) -> String { "first" }
  public func twin(second: Int) -> String { "second" }

  open func serve(_ a: Int) -> String { "Desk.serve(Int)" }
  public func serve(_ a: String) -> String { "Desk.serve(String)" }

  public func front() -> FrontDesk { FrontDesk() }
  public func slip(_ title: String) -> Slip { Slip(title: title) }
  public func nothing() -> Desk? { nil }

  // MARK: Default values

  // Not public: optimised, a module keeps what makes a default value of a public function only
  // where it is called and not inlined.

  func order(_ item: String, count: Int = 2, price: Double = 0.5, note: String? = nil)
    -> String
  {
    "\(item) \(count) \(price) \(note ?? "nil")"
  }
  func place(
    slip: Slip = Slip(title: "default", size: 7), any: Any = [1, 2], list: [String] = ["a", "b"],
    wide: WideSlip = WideSlip(), pair: (Int, Double) = (4, 2.5), last: Int? = 9
  ) -> String {
    "\(slip.title) \(slip.size) \(any) \(list) \(wide.sum) \(pair) \(last.map { "\($0)" } ?? "nil")"
  }
  static func price(_ base: Int, tax: Int = 19) -> Int { base + tax }
  func at(line: Int = #line) -> Int { line }
  func greet(_ name: String = "you") -> String { "hello \(name)" }
  func traced(_ a: Traced = Traced(), _ b: String? = nil) {}
  public func place2(item: String, price: Double) -> String { "\(item) \(price)" }
  public func pack(_ item: String, times: Int = 2) -> String { "\(item) \(times)" }
  func counted(_ value: Int = Counter.next()) -> Int { value }

  // MARK: Variadic

  public func sum(_ numbers: Int...) -> Int { numbers.reduce(0, +) }
  public func join(_ parts: String..., by separator: String) -> String {
    parts.joined(separator: separator)
  }
  func sumTwice(_ numbers: Int..., factor: Int = 2) -> Int {
    numbers.reduce(0, +) * factor
  }
  public func rows(_ rows: [Int]...) -> Int { rows.count }
  public func maybe(_ values: Int?...) -> String {
    values.map { $0.map { "\($0)" } ?? "nil" }.joined(separator: ",")
  }
}

/// Counts how many of it are alive.
public final class Traced {
  private static let count = Atomic<Int>(0)
  public static var alive: Int { count.load(ordering: .sequentiallyConsistent) }
  public init() { Self.count.add(1, ordering: .sequentiallyConsistent) }
  deinit { Self.count.subtract(1, ordering: .sequentiallyConsistent) }
}

/// Counts how often a default value is made.
public enum Counter {
  nonisolated(unsafe) static var last = 0
  public static func next() -> Int {
    last += 1
    return last
  }
}

public final class FrontDesk: Desk {
  override public func serve(_ a: Int) -> String { "FrontDesk.serve(Int)" }
  override func greet(_ name: String) -> String { "welcome \(name)" }
}

public struct Slip: Equatable, Sendable {
  public var title: String
  public var size: Int

  init(title: String, size: Int = 1) {
    self.title = title
    self.size = size
  }

  func grown(by amount: Int = 10) -> Int { size + amount }
}

/// Passed by address.
public struct WideSlip {
  public var a = 1, b = 2, c = 3, d = 4, e = 5
  public init() {}
  public var sum: Int { a + b + c + d + e }
}

func discount(_ amount: Int = 0, extra: Int = 5) -> Int { amount + extra }

/// What a test calls to have a patch run.
public final class Probe {
  public init() {}
  public func run(_ desk: Desk) -> String { "not patched" }
}
