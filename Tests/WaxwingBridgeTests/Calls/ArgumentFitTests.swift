// SPDX-License-Identifier: MIT

import CWaxwingLua
import LuaRig
import Testing
import WaxwingLua

@testable import WaxwingBridge

private class Animal {}
private class Dog: Animal {}
private final class Puppy: Dog {}
private final class Stone {}

/// A value in Lua, types from the best fit to the worst, and types that it does not fit.
struct FitCase: CustomTestStringConvertible, @unchecked Sendable {
  var value: String
  /// Types of one group fit equally well.
  var fitting: [[any Any.Type]]
  var refused: [any Any.Type] = []

  var testDescription: String { value }
}

private let fits = [
  FitCase(
    value: "1",
    fitting: [
      [Int.self], [Int64.self, Int?.self], [UInt.self], [Int32.self], [UInt64.self], [UInt32.self],
      [Int16.self], [UInt16.self], [Int8.self], [UInt8.self], [Double.self], [Float.self],
      [AnyHashable.self], [(any Equatable).self], [Any.self], [Any?.self],
    ], refused: [String.self, Bool.self, [Int].self, Animal.self, [String: Int].self]),
  FitCase(
    value: "-1", fitting: [[Int.self], [Int64.self], [Int32.self], [Int16.self], [Int8.self]],
    refused: [UInt.self, UInt64.self, UInt32.self, UInt16.self, UInt8.self]),
  FitCase(
    value: "300", fitting: [[Int.self], [Int16.self], [UInt16.self]],
    refused: [Int8.self, UInt8.self]),
  FitCase(
    value: "math.maxinteger", fitting: [[Int.self], [Int64.self], [UInt.self], [UInt64.self]],
    refused: [Int32.self, UInt32.self]),
  FitCase(
    value: "1.5", fitting: [[Double.self], [Float.self, Double?.self], [Any.self]],
    refused: [Int.self, UInt8.self, String.self]),
  FitCase(value: "0/0", fitting: [[Double.self], [Float.self]], refused: [Int.self]),
  FitCase(
    value: "true", fitting: [[Bool.self], [Bool?.self], [Any.self]],
    refused: [Int.self, String.self, Double.self]),
  FitCase(
    value: "'a'",
    fitting: [
      [String.self], [Substring.self, String?.self], [Character.self], [[UInt8].self],
      [AnyHashable.self], [Any.self],
    ], refused: [Int.self, Bool.self, [String].self]),
  FitCase(
    value: "'ab'", fitting: [[String.self], [Substring.self], [[UInt8].self]],
    refused: [Character.self]),
  FitCase(value: "'\\xff'", fitting: [[[UInt8].self]], refused: [String.self, Substring.self]),
  FitCase(
    value: "nil", fitting: [[Int?.self, String?.self, Any?.self, Int??.self]],
    refused: [Int.self, String.self, Any.self, [Int].self]),
  FitCase(
    value: "{1, 2}",
    fitting: [[[Int].self], [[Int64].self, [Int]?.self, [Int: Int].self], [[Double].self]],
    refused: [[String].self, Int.self, String.self]),
  FitCase(
    value: "{1, 2.5}", fitting: [[[Double].self], [[Float].self]], refused: [[Int].self]),
  FitCase(
    value: "{}", fitting: [[[Int].self, [String].self], [[String: Int].self, [Int]?.self]],
    refused: [Int.self]),
  FitCase(
    value: "{{1}, {}}", fitting: [[[[Int]].self], [[[Int64]].self]],
    refused: [[Int].self, [[String]].self]),
  FitCase(
    value: "{a = 1}", fitting: [[[String: Int].self, [String: Double].self]],
    refused: [[Int].self, [Int: Int].self, [String: String].self]),
]

@Suite struct ArgumentFitTests {
  let rig: LuaRig

  init() throws { rig = try LuaRig() }

  private func cost(_ value: String, _ objects: [AnyObject] = [], as type: any Any.Type) throws
    -> Int?
  {
    try rig.reading(value, objects) { ArgumentFit.cost(of: $0, as: type) }
  }

  @Test(arguments: fits)
  func `the nearer a type is to the value, the lower its cost`(_ fit: FitCase) throws {
    var last = -1
    for group in fit.fitting {
      let costs = try group.map { try cost(fit.value, as: $0) }
      let first = try #require(costs[0], "\(group[0])")
      #expect(costs.allSatisfy { $0 == first }, "\(group): \(costs)")
      #expect(first > last, "\(group[0]) costs \(first), the one before \(last)")
      last = first
    }
    for type in fit.refused { #expect(try cost(fit.value, as: type) == nil, "\(type)") }
  }

  /// Values at the limits of all kinds.
  private static let values: [String] = {
    let limits: [Int] = [
      0, 1, 2, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 1 << 24, 1 << 31, 1 << 53, 1 << 62,
    ]
    var values = [
      "math.maxinteger", "math.mininteger", "0.0", "1.0", "1.5", "-2.0", "1e10", "1e39", "-1e39",
      "65504.0", "65600.0", "1/0", "0/0", "nil", "true", "false", "'a'", "'ab'", "'\\u{e9}'",
      "'\\xff'", "''", "print",
    ]
    for limit in limits {
      for near in [limit - 1, limit, limit + 1] { values += ["\(near)", "\(-near)"] }
    }
    return values
  }()

  private static let types: [any Any.Type] = [
    Int.self, Int64.self, UInt.self, Int32.self, UInt64.self, UInt32.self, Int16.self,
    UInt16.self, Int8.self, UInt8.self, Double.self, Float.self, Float16.self, Int128.self,
    UInt128.self, Bool.self, String.self, Substring.self, Character.self, [UInt8].self,
    [Int].self, [String: Int].self, Set<String>.self, Int?.self, String?.self, Any.self,
    (any Equatable).self, (any FixedWidthInteger).self, AnyHashable.self, AnyObject.self,
    Animal.self, Range<Int>.self, Any.Type.self, ((Int) -> Int).self, Unicode.Scalar.self,
    StaticString.self, (Int, Int).self,
  ]

  /// One value with its kind, narrowed as far as a type makes necessary.
  private func decision(_ value: String, _ type: any Any.Type) throws -> wax_call_choice? {
    try rig.reading(value) { reader in
      var choice = wax_call_choice()
      choice.count = 1
      let value = reader.peeked
      let hasKind = withUnsafePointer(to: value) {
        wax_call_read_kind(reader.source, $0, &choice.kinds.0)
      }
      guard hasKind, ArgumentFit.isDecided(value, as: type, by: &choice.kinds.0) else { return nil }
      return choice
    }
  }

  @Test func `values whose kind decides cost the same`() throws {
    let choices = UnsafeMutablePointer<wax_call_choices>.allocate(capacity: 1)
    defer { choices.deallocate() }
    var decided = 0
    for type in Self.types {
      let costs = try Self.values.map { try cost($0, as: type) }
      for (index, value) in Self.values.enumerated() {
        guard var choice = try decision(value, type) else { continue }
        choices.initialize(to: wax_call_choices())
        wax_call_note_choice(choices, &choice)
        for (other, expected) in zip(Self.values, costs) {
          let isAlike = try rig.reading(other) { wax_call_find_choice(choices, $0.source, 1) == 0 }
          guard isAlike else { continue }
          decided += 1
          #expect(costs[index] == expected, "\(type): \(value) and \(other)")
        }
      }
    }
    #expect(decided > 10_000)
  }

  @Test func `of classes the object's own is the best, and each superclass is one worse`() throws {
    let puppy = Puppy()
    for (type, expected) in [
      (Puppy.self as any Any.Type, 0), (Dog.self, 1), (Animal.self, 2), (Stone.self, nil),
      (Animal?.self, 3), (Int.self, nil), (String.self, nil),
    ] as [(any Any.Type, Int?)] {
      #expect(try cost("...", [puppy], as: type) == expected, "\(type)")
    }
    #expect(try cost("...", [Animal()], as: Dog.self) == nil)
    #expect(try cost("...", [puppy], as: AnyObject.self) == 18)
    #expect(try cost("...", [puppy], as: Any.self) == 20)
  }

  @Test func `an array costs what its worst element does`() throws {
    let (puppy, dog) = (Puppy(), Dog())
    #expect(try cost("{...}", [puppy, puppy], as: [Puppy].self) == 0)
    #expect(try cost("{...}", [puppy, dog], as: [Dog].self) == 1)
    #expect(try cost("{...}", [puppy, dog], as: [Animal].self) == 2)
    #expect(try cost("{...}", [puppy, dog], as: [Puppy].self) == nil)
    #expect(try cost("{...}", [puppy, Stone()], as: [AnyObject].self) == 18)
  }

  @Test func `the reader stays where it is, whatever is tried`() throws {
    for value in ["1, 2", "{1, {2}}, 'x'", "{a = {1}}, 3", "nil, true"] {
      let isSame = try rig.reading(value) { reader in
        for type in [Int.self, [Int].self, [String: Any].self, Any.self, String?.self]
          as [any Any.Type]
        {
          _ = ArgumentFit.cost(of: reader, as: type)
        }
        var rest = reader
        rest.skip()
        return !rest.isAtEnd && VariadicArguments.remaining(reader) == 2
      }
      #expect(isSame, "\(value)")
    }
  }
}
