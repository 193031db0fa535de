// SPDX-License-Identifier: MIT

import LuaRig
import SeededRandom
import Testing
import WaxwingValues

/// A type of which the tests draw values.
private protocol Drawn: Equatable {
  static func draw(_ random: inout SeededGenerator) -> Self
}

extension Drawn where Self: FixedWidthInteger {
  fileprivate static func draw(_ random: inout SeededGenerator) -> Self {
    [Self.min, .max, 0, 1, .random(in: .min ... .max, using: &random)].randomElement(using: &random)
      ?? 0
  }
}

extension Int: Drawn {}
extension Int8: Drawn {}
extension Int16: Drawn {}
extension Int32: Drawn {}
extension Int64: Drawn {}
extension UInt: Drawn {}
extension UInt8: Drawn {}
extension UInt16: Drawn {}
extension UInt32: Drawn {}
extension UInt64: Drawn {}

extension Bool: Drawn {
  fileprivate static func draw(_ random: inout SeededGenerator) -> Bool { .random(using: &random) }
}

extension Double: Drawn {
  fileprivate static func draw(_ random: inout SeededGenerator) -> Double {
    let usual = Double.random(in: -1e9...1e9, using: &random)
    return [0, 1, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, usual]
      .randomElement(using: &random) ?? 0
  }
}

extension Float: Drawn {
  fileprivate static func draw(_ random: inout SeededGenerator) -> Float {
    let usual = Float.random(in: -1e9...1e9, using: &random)
    return [0, 1, .infinity, .leastNonzeroMagnitude, usual].randomElement(using: &random) ?? 0
  }
}

extension String: Drawn {
  /// Of all forms: in the value itself, on the heap, with zeros, beyond ASCII.
  fileprivate static func draw(_ random: inout SeededGenerator) -> String {
    let part = ["", "a", "\0", "é", "🙂", "fifteen bytes -"].randomElement(using: &random) ?? ""
    return String(repeating: part, count: .random(in: 0...40, using: &random))
  }
}

extension Character: Drawn {
  fileprivate static func draw(_ random: inout SeededGenerator) -> Character {
    ["a", "é", "👨‍👩‍👧‍👦", "\r\n"].randomElement(using: &random) ?? "a"
  }
}

extension Optional: Drawn where Wrapped: Drawn {
  fileprivate static func draw(_ random: inout SeededGenerator) -> Wrapped? {
    Bool.random(using: &random) ? nil : Wrapped.draw(&random)
  }
}

extension Array: Drawn where Element: Drawn {
  fileprivate static func draw(_ random: inout SeededGenerator) -> [Element] {
    (0..<Int.random(in: 0...12, using: &random)).map { _ in Element.draw(&random) }
  }
}

extension ArraySlice: Drawn where Element: Drawn {
  fileprivate static func draw(_ random: inout SeededGenerator) -> ArraySlice<Element> {
    ([Element.draw(&random)] + [Element].draw(&random)).dropFirst()
  }
}

extension Set: Drawn where Element: Drawn {
  fileprivate static func draw(_ random: inout SeededGenerator) -> Set<Element> {
    Set([Element].draw(&random))
  }
}

extension Dictionary: Drawn where Key: Drawn, Value: Drawn {
  fileprivate static func draw(_ random: inout SeededGenerator) -> [Key: Value] {
    Dictionary([Key].draw(&random).map { ($0, Value.draw(&random)) }) { $1 }
  }
}

/// Values go to Lua and come back through their codecs alone: no program is patched.
@Suite struct CodecRoundTripTests {
  private static let seed = TestSeed.drawn

  /// Every scalar type, and what is made of it.
  private static func forms<Value: Drawn & Hashable>(_: Value.Type) -> [any Drawn.Type] {
    [
      Value.self, Value?.self, [Value].self, [Value?].self, [[Value]].self, [Value]?.self,
      ArraySlice<Value>.self, Set<Value>.self, [String: Value].self, [Value: Int].self,
      [String: [Value?]].self, [[String: Value]].self, [String: Value?].self,
    ]
  }

  private static var types: [any Drawn.Type] {
    forms(Int.self) + forms(Int8.self) + forms(Int16.self) + forms(Int32.self) + forms(Int64.self)
      + forms(UInt.self) + forms(UInt8.self) + forms(UInt16.self) + forms(UInt32.self)
      + forms(UInt64.self) + forms(Bool.self) + forms(Double.self) + forms(Float.self)
      + forms(String.self) + forms(Character.self)
  }

  private static func goesRound<Value: Drawn>(
    _ type: Value.Type, _ rig: LuaRig, _ random: inout SeededGenerator
  ) {
    for _ in 0..<20 {
      let value = Value.draw(&random)
      do {
        let returned = try rig.returned(value).get()
        if returned != value {
          Issue.record("\(type): \(value) comes back as \(returned); \(seed)")
        }
      } catch {
        Issue.record("\(type): \(value): \(error); \(seed)")
      }
    }
  }

  @Test func `a value of any type comes back as it was`() throws {
    let rig = try LuaRig()
    var random = Self.seed.generator
    for type in Self.types { Self.goesRound(type, rig, &random) }
  }

  @Test func `what is of another type is refused, and names what was expected`() throws {
    let rig = try LuaRig()
    let wrong: [(any Any.Type, String, String)] = [
      (Int.self, "1.5", "Int"), (Int8.self, "300", "Int8"), (UInt.self, "-1", "UInt"),
      (Bool.self, "1", "Bool"), (String.self, "{}", "String"), (String.self, "'\\xff'", "UTF-8"),
      (Character.self, "'ab'", "Character"), ([Int].self, "{1, 'x'}", "[2]"),
      ([String: Int].self, "{a = 'x'}", "a"), (Set<Int>.self, "{1, {}}", "Int"),
      (Int.self, "nil", "nil"), ([Int].self, "5", "[Int]"),
    ]
    for (type, expression, part) in wrong {
      let message = try #require(try rig.refusal(of: expression, as: type), "\(type) \(expression)")
      #expect(message.contains(part), "\(type) \(expression): \(message)")
    }
  }

  @Test func `a codec has the size, the stride and the alignment that the compiler has`() throws {
    LuaRig.installCodecs()
    func check<Value>(_: Value.Type) throws {
      let codec = try CodecLibrary.codec(for: Value.self)
      #expect(codec.size == MemoryLayout<Value>.size, "\(Value.self)")
      #expect(codec.stride == MemoryLayout<Value>.stride, "\(Value.self)")
      #expect(codec.alignment == MemoryLayout<Value>.alignment, "\(Value.self)")
      #expect(ObjectIdentifier(codec.type) == ObjectIdentifier(Value.self))
      #expect(try CodecLibrary.codec(for: Value.self) === codec, "made twice: \(Value.self)")
    }
    for type in Self.types { try check(type) }
  }
}
