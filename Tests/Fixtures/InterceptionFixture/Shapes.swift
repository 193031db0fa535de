// SPDX-License-Identifier: MIT

// One function per shape: takes it behind an integer and before a double, and gives it back. The
// arguments around it show that it took the registers that were its own and no other.

public struct TwoInt32: Equatable, Sendable { public var a, b: Int32 }
public struct TwoBoolsInt: Equatable, Sendable {
  public var a, b: Bool
  public var c: Int
}
public struct Int8Int32Double: Equatable, Sendable {
  public var a: Int8
  public var b: Int32
  public var c: Double
}
public struct TwoFloats: Equatable, Sendable { public var a, b: Float }
public struct FourDoubles: Equatable, Sendable { public var a, b, c, d: Double }
public struct FiveWords: Equatable, Sendable { public var a, b, c, d, e: Int }
public struct ThreeInt8: Equatable, Sendable { public var a, b, c: Int8 }
public struct FloatInt32: Equatable, Sendable {
  public var a: Float
  public var b: Int32
}
public struct Int8FloatInt8: Equatable, Sendable {
  public var a: Int8
  public var b: Float
  public var c: Int8
}
public struct OptionalIntInt: Equatable, Sendable {
  public var a: Int?
  public var b: Int
}
public struct OptionalInt32Bool: Equatable, Sendable {
  public var a: Int32?
  public var b: Bool
}
public struct Alternating: Equatable, Sendable {
  public var a: Int8
  public var b: Double
  public var c: Int8
  public var d: Double
}
public struct Nested: Equatable, Sendable {
  public var a: ThreeInt8
  public var b: Int8
  public var c: TwoInt32
}
public struct Vectors: Equatable, Sendable {
  public var a: SIMD4<Float>
  public var b: SIMD4<Double>
}
public enum Payload: Equatable, Sendable {
  case number(Int)
  case text(String)
  case nothing
}
public enum SmallPayload: Equatable, Sendable {
  case a(Int8)
  case b(Int16)
}

// What tests pass; a memberwise initializer is not public.
extension TwoInt32 { public static let sample = TwoInt32(a: -1, b: 2) }
extension TwoBoolsInt { public static let sample = TwoBoolsInt(a: false, b: true, c: -3) }
extension Int8Int32Double { public static let sample = Int8Int32Double(a: -4, b: 5, c: 6.5) }
extension TwoFloats { public static let sample = TwoFloats(a: 7.5, b: -8) }
extension FourDoubles { public static let sample = FourDoubles(a: 1.5, b: 2.5, c: 3.5, d: 4.5) }
extension FiveWords { public static let sample = FiveWords(a: 1, b: 2, c: 3, d: 4, e: 5) }
extension ThreeInt8 { public static let sample = ThreeInt8(a: 1, b: -2, c: 3) }
extension FloatInt32 { public static let sample = FloatInt32(a: 9.5, b: -10) }
extension Int8FloatInt8 { public static let sample = Int8FloatInt8(a: 1, b: 2.5, c: -3) }
extension OptionalIntInt { public static let sample = OptionalIntInt(a: nil, b: 11) }
extension OptionalInt32Bool { public static let sample = OptionalInt32Bool(a: -12, b: true) }
extension Alternating { public static let sample = Alternating(a: 1, b: 2.5, c: 3, d: 4.5) }
extension Nested { public static let sample = Nested(a: .sample, b: 4, c: .sample) }
extension Vectors { public static let sample = Vectors(a: [1, 2, 3, 4], b: [5, 6, 7, 8]) }

nonisolated(unsafe) public var around: (Int, Double) = (0, 0)

private func note<T>(_ before: Int, _ value: T, _ after: Double) -> T {
  around = (before, after)
  return value
}

public enum Echo {
  public static func twoInt32(_ i: Int, _ x: TwoInt32, _ d: Double) -> TwoInt32 { note(i, x, d) }
  public static func twoBoolsInt(_ i: Int, _ x: TwoBoolsInt, _ d: Double) -> TwoBoolsInt {
    note(i, x, d)
  }
  public static func int8Int32Double(_ i: Int, _ x: Int8Int32Double, _ d: Double) -> Int8Int32Double
  { note(i, x, d) }
  public static func twoFloats(_ i: Int, _ x: TwoFloats, _ d: Double) -> TwoFloats { note(i, x, d) }
  public static func fourDoubles(_ i: Int, _ x: FourDoubles, _ d: Double) -> FourDoubles {
    note(i, x, d)
  }
  public static func fiveWords(_ i: Int, _ x: FiveWords, _ d: Double) -> FiveWords { note(i, x, d) }
  public static func threeInt8(_ i: Int, _ x: ThreeInt8, _ d: Double) -> ThreeInt8 { note(i, x, d) }
  public static func floatInt32(_ i: Int, _ x: FloatInt32, _ d: Double) -> FloatInt32 {
    note(i, x, d)
  }
  public static func int8FloatInt8(_ i: Int, _ x: Int8FloatInt8, _ d: Double) -> Int8FloatInt8 {
    note(i, x, d)
  }
  public static func optionalIntInt(_ i: Int, _ x: OptionalIntInt, _ d: Double) -> OptionalIntInt {
    note(i, x, d)
  }
  public static func optionalInt32Bool(_ i: Int, _ x: OptionalInt32Bool, _ d: Double)
    -> OptionalInt32Bool
  { note(i, x, d) }
  public static func alternating(_ i: Int, _ x: Alternating, _ d: Double) -> Alternating {
    note(i, x, d)
  }
  public static func nested(_ i: Int, _ x: Nested, _ d: Double) -> Nested { note(i, x, d) }
  public static func vectors(_ i: Int, _ x: Vectors, _ d: Double) -> Vectors { note(i, x, d) }
  public static func payload(_ i: Int, _ x: Payload, _ d: Double) -> Payload { note(i, x, d) }
  public static func smallPayload(_ i: Int, _ x: SmallPayload, _ d: Double) -> SmallPayload {
    note(i, x, d)
  }
  public static func optionalInt8(_ i: Int, _ x: Int8?, _ d: Double) -> Int8? { note(i, x, d) }
  public static func optionalInt32(_ i: Int, _ x: Int32?, _ d: Double) -> Int32? { note(i, x, d) }
  public static func optionalFloat(_ i: Int, _ x: Float?, _ d: Double) -> Float? { note(i, x, d) }
  public static func optionalDouble(_ i: Int, _ x: Double?, _ d: Double) -> Double? {
    note(i, x, d)
  }
  public static func optionalString(_ i: Int, _ x: String?, _ d: Double) -> String? {
    note(i, x, d)
  }
  public static func optionalOptionalInt(_ i: Int, _ x: Int??, _ d: Double) -> Int?? {
    note(i, x, d)
  }
  public static func int128(_ i: Int, _ x: Int128, _ d: Double) -> Int128 { note(i, x, d) }

  /// The wide integer finds one register left: it goes to the stack and leaves it to `last`.
  public static func wide(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ x: Int128, _ last: Int, _ more: Int
  ) -> Int128 {
    note(last &+ more, x &+ Int128(a &+ b &+ c &+ d &+ e), 0)
  }

  /// The struct begins in the last register and ends on the stack.
  public static func split(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ x: OptionalIntInt, _ last: Int8
  ) -> OptionalIntInt {
    note(a &+ b &+ c &+ d &+ e &+ Int(last), x, 0)
  }
}

extension TwoBoolsInt {
  public func plus(_ n: Int) -> Int { c &+ n &+ (a ? 1 : 0) &+ (b ? 2 : 0) }
  public mutating func set(_ n: Int) { c = n }
}

extension FiveWords {
  public func plus(_ n: Int) -> Int { a &+ e &+ n }
}
