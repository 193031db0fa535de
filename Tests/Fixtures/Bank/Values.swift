// SPDX-License-Identifier: MIT

/// One function for every kind of value, each returning what it is given.
public final class Values: Sendable {
  public init() {}

  public func int(_ value: Int) -> Int { value }
  public func int8(_ value: Int8) -> Int8 { value }
  public func int16(_ value: Int16) -> Int16 { value }
  public func int32(_ value: Int32) -> Int32 { value }
  public func int64(_ value: Int64) -> Int64 { value }
  public func uint(_ value: UInt) -> UInt { value }
  public func uint8(_ value: UInt8) -> UInt8 { value }
  public func uint16(_ value: UInt16) -> UInt16 { value }
  public func uint32(_ value: UInt32) -> UInt32 { value }
  public func uint64(_ value: UInt64) -> UInt64 { value }
  public func bool(_ value: Bool) -> Bool { value }
  public func float(_ value: Float) -> Float { value }
  public func double(_ value: Double) -> Double { value }
  public func string(_ value: String) -> String { value }
  public func object(_ value: Account) -> Account { value }

  public func optionalInt(_ value: Int?) -> Int? { value }
  public func optionalInt8(_ value: Int8?) -> Int8? { value }
  public func optionalInt32(_ value: Int32?) -> Int32? { value }
  public func optionalBool(_ value: Bool?) -> Bool? { value }
  public func optionalFloat(_ value: Float?) -> Float? { value }
  public func optionalDouble(_ value: Double?) -> Double? { value }
  public func optionalString(_ value: String?) -> String? { value }
  public func optionalObject(_ value: Account?) -> Account? { value }
  public func doubleOptional(_ value: Int??) -> Int?? { value }

  public func octets(_ value: [UInt8]) -> [UInt8] { value }
  public func substring(_ value: Substring) -> Substring { value }
  public func character(_ value: Character) -> Character { value }
  public func optionalCharacter(_ value: Character?) -> Character? { value }
  public func ints(_ value: [Int]) -> [Int] { value }
  public func bytes(_ value: [Int8]) -> [Int8] { value }
  public func doubles(_ value: [Double]) -> [Double] { value }
  public func strings(_ value: [String]) -> [String] { value }
  public func objects(_ value: [Account]) -> [Account] { value }
  public func optionals(_ value: [Int?]) -> [Int?] { value }
  public func nested(_ value: [[Int]]) -> [[Int]] { value }
  public func optionalArray(_ value: [Int]?) -> [Int]? { value }
  public func counts(_ value: [String: Int]) -> [String: Int] { value }
  public func names(_ value: [Int: String]) -> [Int: String] { value }
  public func tree(_ value: [String: [String: [Int]]]) -> [String: [String: [Int]]] { value }
  public func dictionaryOfOptionals(_ value: [String: Int?]) -> [String: Int?] { value }
  public func set(_ value: Set<Int>) -> Set<Int> { value }

  public func point(_ value: Point) -> Point { value }
  public func large(_ value: Large) -> Large { value }
  public func kind(_ value: Kind) -> Kind { value }
  public func padded(_ value: Padded) -> Padded { value }
  public func optionalPoint(_ value: Point?) -> Point? { value }

  public func nothing() {}

  public func anything(_ value: Any) -> Any { value }
  public func anyOptional(_ value: Any?) -> Any? { value }
  public func anyArray(_ value: [Any]) -> [Any] { value }
  public func record(_ value: [String: Any]) -> [String: Any] { value }
  public func labelledValue(_ value: any Labelled) -> any Labelled { value }
  public func reference(_ value: AnyObject) -> AnyObject { value }
  public func classBound(_ a: Int, _ value: any Named, _ b: Int) -> any Named { value }
  public func error(_ value: any Error) -> any Error { value }
  public func choice(_ value: Choice) -> Choice { value }
  public func optionalChoice(_ a: Int, _ value: Choice?, _ b: Int) -> Choice? {
    b == 2 ? value : nil
  }
  public func payload(_ value: Payload) -> Payload { value }
  public func hasAny(_ value: HasAny) -> HasAny { value }

  public func pair(_ value: (Int, String)) -> (Int, String) { value }
  public func labelled(_ value: (x: Double, name: String?)) -> (x: Double, name: String?) { value }
  public func small(_ a: Int8, _ value: (Int8, Bool, Float), _ b: Int) -> (Int8, Bool, Float) {
    value
  }
  public func wide(_ value: (Int, Int, String, Double)) -> (Int, Int, String, Double) { value }
  public func pairs(_ value: [(Int, String)]) -> [(Int, String)] { value }
  public func nestedTuple(_ value: (Int, (Bool, Double))) -> (Int, (Bool, Double)) { value }

  public func changes(_ value: inout Int) { value += 1 }
  public func exchange(
    _ number: inout Int, _ text: inout String, _ point: inout Point, by: Int
  ) throws -> Int {
    number += by
    text += "!"
    point.x = number
    if by < 0 { throw BankError.closed }
    return number * 10
  }

  /// Beyond six integer and eight vector registers.
  public func many(
    _ a: Int, _ b: Double, _ c: Float, _ d: String, _ e: Int8, _ f: Bool, _ g: Int?, _ h: Double,
    _ i: [Int], _ j: UInt16, _ k: String?
  ) -> String {
    "\(a) \(b) \(c) \(d) \(e) \(f) \(g.map { "\($0)" } ?? "nil") \(h) \(i) \(j) \(k ?? "nil")"
  }

  public func tenInts(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int, _ i: Int,
    _ j: Int
  ) -> [Int] {
    [a, b, c, d, e, f, g, h, i, j]
  }

  public func tenDoubles(
    _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double, _ g: Double,
    _ h: Double, _ i: Double, _ j: Double
  ) -> [Double] {
    [a, b, c, d, e, f, g, h, i, j]
  }

  public func mixed(
    _ a: Int8, _ b: Int, _ c: Bool, _ d: Double, _ e: String, _ f: Account
  ) -> String {
    "\(a) \(b) \(c) \(d) \(e) \(f.owner)"
  }
}

public struct Point: Equatable, CustomStringConvertible {
  public var x: Int
  public var y: Double

  public init(x: Int, y: Double) {
    self.x = x
    self.y = y
  }

  public func sum(_ more: Int) -> Int { x &+ Int(y) &+ more }
  public mutating func scale(by factor: Int) { x *= factor }
  public var doubled: Int {
    get { x * 2 }
    set { x = newValue / 2 }
  }
  public static func origin(shift: Int) -> Point { Point(x: shift, y: 0) }
  public var description: String { "(\(x), \(y))" }
}

public struct Large: Equatable {
  public var a = 1, b = 2, c = 3
  public var d = "four"
  public var e = 5.0

  public init() {}

  public func total(_ more: Int) -> Int { a + b + c + more }
  public mutating func bump(_ by: Int) { a += by }
}

public struct Padded: Equatable {
  public var flag: Bool
  public var small: Int8
  public var inner: Point
  public var tail: Int32

  public init(flag: Bool, small: Int8, inner: Point, tail: Int32) {
    self.flag = flag
    self.small = small
    self.inner = inner
    self.tail = tail
  }
}

public enum Kind: String, Equatable {
  case checking, savings

  public func label(_ prefix: String) -> String { prefix + rawValue }
}

public protocol Named: AnyObject {
  var owner: String { get }
}

extension Account: Named {}

extension Point: Labelled {
  public func label() -> String { "point" }
}

public struct HasAny {
  public var number: Int
  public var any: Any

  public init(number: Int, any: Any) {
    self.number = number
    self.any = any
  }
}

/// Passed by address, for the sake of one payload.
public enum Choice {
  case number(Int)
  case anything(Any)
  case nothing
}

/// Passed in registers.
public indirect enum Payload: Equatable {
  case number(Int)
  case text(String)
  case pair(Int, Payload)
  case point(Point)
  case nothing
}
