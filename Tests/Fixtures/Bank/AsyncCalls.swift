// SPDX-License-Identifier: MIT

/// Async methods whose arguments need more than the registers, and those that change or throw.
public final class AsyncCalls: Sendable {
  public init() {}

  /// Three of nine integers travel on the stack.
  public func nineInts(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int, _ i: Int
  ) async -> [Int] {
    [a, b, c, d, e, f, g, h, i]
  }

  /// The area for arguments has another rest modulo 16 than that of nine.
  public func tenInts(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int, _ i: Int,
    _ j: Int
  ) async -> [Int] {
    [a, b, c, d, e, f, g, h, i, j]
  }

  /// Two of ten doubles travel on the stack.
  public func tenDoubles(
    _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double, _ g: Double,
    _ h: Double, _ i: Double, _ j: Double
  ) async -> [Double] {
    [a, b, c, d, e, f, g, h, i, j]
  }

  /// Beyond all registers, and the result's address takes one of them.
  public func crowded(
    _ a: Int, _ b: Double, _ c: Float, _ d: String, _ e: Int8, _ f: Bool, _ g: Int?, _ h: Double,
    _ i: [Int], _ j: UInt16, _ k: String?
  ) async throws -> WideRecord {
    if a < 0 { throw BankError.insufficient(a) }
    var record = WideRecord(a)
    record.b = Int(b + Double(c) + h)
    record.c = d.count + Int(e) + (f ? 1 : 0)
    record.d = (g ?? 0) + i.reduce(0, +)
    record.e = Int(j) + (k?.count ?? -1)
    return record
  }

  /// Changes a number in place.
  public func changes(_ value: inout Int) async { value += 1 }

  /// Changes values of three kinds in place, also when it throws.
  public func exchange(
    _ number: inout Int, _ text: inout String, _ point: inout Point, by: Int
  ) async throws -> Int {
    number += by
    text += "!"
    point.x = number
    if by < 0 { throw BankError.closed }
    return number * 10
  }

  /// Takes its argument away from the caller.
  public func consumes(_ value: consuming AsyncParcel) async -> Int { value.number }

  /// Throws any error.
  public func withdraw(_ amount: Int) async throws -> Int {
    if amount > 100 { throw BankError.insufficient(amount) }
    return 100 - amount
  }

  /// Throws and returns nothing.
  public func check(_ amount: Int) async throws {
    if amount < 0 { throw BankError.closed }
  }

  /// Throws and returns by address.
  public func record(_ number: Int) async throws -> WideRecord {
    if number < 0 { throw BankError.insufficient(number) }
    return WideRecord(number)
  }

  /// Throws an enum without payloads.
  public func plain(_ number: Int) async throws(Plain) -> Int {
    if number < 0 { throw .two }
    return number
  }

  /// Throws an error that travels in registers.
  public func coded(_ number: Int) async throws(Coded) -> Double {
    if number < 0 { throw Coded(code: number, text: "negative") }
    return Double(number) / 2
  }

  /// Throws an error that travels by address.
  public func far(_ number: Int) async throws(Wide) -> Int {
    if number < 0 {
      var error = Wide()
      error.a = number
      throw error
    }
    return number
  }

  /// With a default value, so that Lua may leave it out.
  func scaled(_ number: Int, by factor: Int = 10) async -> Int { number * factor }
  /// Calls `scaled(_:by:)` with its default value.
  public func callsScaled(_ number: Int) async -> Int { await scaled(number) }

  /// A static method.
  public static func sum(_ a: Int, _ b: Int) async -> Int { a + b }
  /// A static method that throws.
  public static func parsed(_ text: String) async throws -> Int {
    guard let number = Int(text) else { throw BankError.closed }
    return number
  }
}
