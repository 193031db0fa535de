// SPDX-License-Identifier: MIT

import Glibc

/// An enum whose payloads have closures in them.
public enum Callback {
  case none
  case run((Int) -> Int)
  case named(String, change: (String) -> String)
  indirect case after((Int) -> Int, Callback)

  public func called(_ number: Int) -> String {
    switch self {
    case .none: "none"
    case .run(let body): "run \(body(number))"
    case .named(let name, let change): "\(name) \(change("\(number)"))"
    case .after(let body, let next): next.called(body(number))
    }
  }
}

/// Calls a closure when it dies.
public final class LastWords {
  public var onDeinit: (Int) -> Void
  public let number: Int
  public init(_ number: Int, _ onDeinit: @escaping (Int) -> Void) {
    self.number = number
    self.onDeinit = onDeinit
  }
  deinit { onDeinit(number) }
}

/// Functions with closures of the rarer kinds.
public final class ClosureForms: @unchecked Sendable {
  public var words: LastWords?
  public var handler: (Int) -> Int = { $0 }
  public var cHandler: (@convention(c) (Int32) -> Int32)?
  public var typed: (Int) throws(Plain) -> Int = { $0 }
  public init() {}

  /// Called with a patch's Lua function as its body.
  public func run() -> String { "original" }

  // Results of several values, some of which go by address.
  public func anyAndInt(_ body: () -> (Any, Int)) -> String {
    let (any, int) = body()
    return "\(any) \(int)"
  }
  public func anys(_ body: (Int) -> (Any, Any)) -> String { "\(body(3))" }
  public func anyAndWide(_ body: (Int) -> (WideRecord, Any, Double)) -> String {
    let (wide, any, double) = body(3)
    return "\(wide.a) \(wide.e) \(any) \(double)"
  }
  public func nested(_ body: () -> (Int8, (Int8, Int32), (Double, Any))) -> String { "\(body())" }
  public func packed(_ body: () -> (Int8, (Int8, Int32))) -> String { "\(body())" }
  public func packedResult(_ n: Int8) -> (Int8, (Int8, Int32)) { (n, (n + 1, Int32(n) + 2)) }
  public func anyAndIntMaker(_ n: Int) -> () -> (Any, Int) { { ("n\(n)", n) } }
  public func allAnyAndInt(_ bodies: [() -> (Any, Int)]) -> String { "\(bodies[0]())" }

  // Errors of one type.
  public func plain(_ body: (Int) throws(Plain) -> Int) -> String {
    do { return "\(try body(3))" } catch { return "caught \(error)" }
  }
  public func coded(_ body: (Int) throws(Coded) -> Double) -> String {
    do { return "\(try body(3))" } catch { return "caught \(error.code) \(error.text)" }
  }
  public func measured(_ body: (Int) throws(Measured) -> String) -> String {
    do { return try body(3) } catch { return "caught \(error.amount) \(error.token.number)" }
  }
  public func wide(_ body: (Int) throws(Wide) -> WideRecord) -> String {
    do { return "\(try body(3).a)" } catch { return "caught \(error.e)" }
  }
  public func plainAny(_ body: (Int) throws(Plain) -> Any) -> String {
    do { return "\(try body(3))" } catch { return "caught \(error)" }
  }
  public func plainNothing(_ body: (inout Int) throws(Plain) -> Void) -> String {
    var n = 3
    do { try body(&n) } catch { return "caught \(error) \(n)" }
    return "\(n)"
  }
  public func plainAll(_ bodies: [(Int) throws(Plain) -> Int]) -> String {
    do { return "\(try bodies[0](3))" } catch { return "caught \(error)" }
  }
  public func plainThrower() -> (Int) throws(Plain) -> Int {
    { (n) throws(Plain) in if n < 0 { throw .two } else { return n } }
  }
  public func measuredThrower() -> (Int) throws(Measured) -> String {
    { (n) throws(Measured) in
      if n < 0 { throw Measured(amount: 2.5, token: Token(n)) }
      return "n\(n)"
    }
  }
  public func wideThrower() -> (Int) throws(Wide) -> Int {
    { (n) throws(Wide) in if n < 0 { throw Wide() } else { return n } }
  }

  // C functions.
  public func cAdder() -> @convention(c) (Int32, Double, Float) -> Double {
    { Double($0) + $1 + Double($2) }
  }
  public func cNarrow() -> @convention(c) (Int8, UInt8, Int16, UInt16, Bool) -> Int {
    { Int($0) * 1_000_000 + Int($1) * 1000 + Int($2) + Int($3) + ($4 ? 1 : 0) }
  }
  public func cMany() -> @convention(c) (Int, Int, Int, Int, Int, Int, Int8, Int16, Int) -> Int {
    { $0 + $1 + $2 + $3 + $4 + $5 + Int($6) * 100 + Int($7) * 10_000 + $8 }
  }
  public func cResult() -> @convention(c) (Int) -> Int8 { { Int8(truncatingIfNeeded: $0) } }
  public func cPointer() -> @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    { $0.map { $0 + 8 } }
  }
  public func cCalled(_ body: @convention(c) (Int32) -> Int32, _ n: Int32) -> Int32 { body(n) }
  public func cNegative() -> @convention(c) (Int32) -> Int32 { { -$0 } }
  public func cMaybe(_ body: (@convention(c) (Int32) -> Int32)?) -> Int32 { body?(4) ?? 0 }
  public func cAll(_ bodies: [@convention(c) (Int32) -> Int32]) -> Int32 {
    bodies.reduce(1) { $1($0) }
  }
  public func cStruct(_ body: @convention(c) (timespec) -> Int) -> Int { body(timespec()) }

  // Types themselves.
  public func types(_ body: (Int.Type, Token.Type, Any.Type, Int) -> Int.Type) -> String {
    "\(body(Int.self, Token.self, String.self, 5))"
  }
  public func allTypes(_ bodies: [(Int.Type, Int) -> Any.Type]) -> String {
    "\(bodies[0](Int.self, 5))"
  }
  public func typeTeller() -> (Int.Type, Any.Type) -> Token.Type { { _, _ in Token.self } }

  // Elsewhere.
  public func called(_ callback: Callback, _ number: Int) -> String { callback.called(number) }
  public func callbacks() -> [Callback] {
    [
      .none, .run { $0 + 1 }, .named("name") { $0 + "!" },
      .after({ $0 * 2 }, .run { $0 + 3 }),
    ]
  }
  // Not public, as optimised code keeps the default values of such functions only.
  func defaulted(_ number: Int, by body: (Int) -> Int = { $0 * 7 }) -> Int { body(number) }
  func kept(_ body: @escaping (Int) -> Int = { $0 * 9 }) { handler = body }
  public func changing(_ body: (inout WideRecord, inout Chest?, inout [String]) -> Int) -> String {
    var wide = WideRecord(1)
    var chest: Chest? = Chest(2)
    var list = ["a"]
    let result = body(&wide, &chest, &list)
    return "\(wide.a) \(chest?.token.number ?? 0) \(list.joined()) \(result)"
  }
  public func closureChanging(_ body: (inout (Int) -> Int, inout ((Int) -> Int)?) -> Void) -> String
  {
    var one: (Int) -> Int = { $0 + 1 }
    var two: ((Int) -> Int)?
    body(&one, &two)
    return "\(one(1)) \(two?(1) ?? 0)"
  }
  public func table() -> [String: (Int) -> Int] { ["double": { $0 * 2 }, "negative": { -$0 }] }
  public func list() -> [(Int) -> Int] { [{ $0 * 2 }, { -$0 }] }
  public func sparse() -> [((Int) -> Int)?] { [{ $0 * 2 }, nil] }
  public func adder() -> (Int) -> (Int) -> (Int) -> Int { { a in { b in { c in a + b + c } } } }
  public func adds(_ adder: (Int) -> (Int) -> (Int) -> Int) -> Int { adder(1)(10)(100) }
  public func pairMaker() -> (Int) -> (name: String, body: (Int) -> Int) {
    { n in ("n\(n)", { $0 + n }) }
  }
  public func pairs(_ maker: (Int) -> (name: String, body: (Int) -> Int)) -> String {
    let pair = maker(3)
    return "\(pair.name) \(pair.body(4))"
  }
  public func dies(_ number: Int, _ body: @escaping (Int) -> Void) { _ = LastWords(number, body) }
}
