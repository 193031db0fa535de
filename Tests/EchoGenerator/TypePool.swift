// SPDX-License-Identifier: MIT

import SeededRandom

/// Makes types at random, and keeps the structs and enums that are made for it.
struct TypePool {
  private(set) var text = ""
  private(set) var nominals: [EchoType] = []
  private var count = 0

  static let scalars: [EchoType] =
    [
      "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    ].map { .plain($0, draw: "dice.integer(\($0).self)", traits: .isSmall) }
    + ["Bool", "Float", "Double", "Double", "String", "String", "Character"].map {
      .plain($0, draw: "dice.\($0.lowercased())()", traits: .isSmall)
    } + [.plain("Substring", draw: "dice.substring()")]

  private static let keys =
    scalars + [
      .plain("Level", draw: "dice.level()"), .plain("Word", draw: "dice.word()"),
      .plain("Key", draw: "dice.key()"), .plain("Int128", draw: "dice.integer(Int128.self)"),
    ]

  /// Of the standard library and Foundation.
  private static let others: [EchoType] = [
    .plain("Int128", draw: "dice.integer(Int128.self)"),
    .plain("UInt128", draw: "dice.integer(UInt128.self)"),
    .plain("Range<Int>", draw: "dice.range()"),
    .plain("ClosedRange<Double>", draw: "-0.0...dice.magnitude()"),
    .plain("ArraySlice<String>", draw: "dice.array { $0.string() }.dropFirst()"),
    .plain("Data", draw: "dice.data()"), .plain("UUID", draw: "UUID()"),
    .plain("Date", draw: "Date(timeIntervalSinceReferenceDate: dice.double())"),
    .plain("URL", draw: "dice.url()"), .plain("Decimal", draw: "dice.decimal()"),
    .plain("AnyHashable", draw: "AnyHashable(dice.string())"),
    .plain("UnsafeRawPointer?", draw: "dice.pointer()"),
  ]

  private static let shapes: [EchoType] = [
    .plain("Token", draw: "Token()"), .plain("Token", draw: "Token()"),
    .plain("Tree", draw: "dice.tree()"), .plain("Level", draw: "dice.level()"),
    .plain("Word", draw: "dice.word()"), .plain("Single", draw: ".only"),
    .plain("Empty", draw: "Empty()"), .plain("SmallShape", draw: "dice.small()"),
    .plain("LargeShape", draw: "dice.large()"),
  ]

  /// What an argument's value alone tells the type of.
  static let existentials: [EchoType] = [
    .plain("Any", draw: "dice.anything()", traits: .isAddressOnly),
    .plain("any EchoShape", draw: "dice.shape()", traits: .isAddressOnly),
    .plain("any EchoReference", draw: "Token()", traits: .isSmall),
    .plain("AnyObject", draw: "Token()", traits: .isSmall),
    .plain("any EchoShape & AnyObject", draw: "Token()"),
    .plain("any Error", draw: "dice.failure()", traits: .isSmall),
  ]

  /// - Parameter depth: How deep types may nest.
  mutating func type(
    depth: Int = 2, _ random: inout SeededGenerator
  ) -> EchoType {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<8 where depth > 0: return .optional(type(depth: depth - 1, &random))
    case 8..<14 where depth > 0: return .array(type(depth: depth - 1, &random))
    case 14..<16: return .set(element(Self.keys, &random))
    case 16..<20 where depth > 0:
      return .dictionary(element(Self.keys, &random), type(depth: depth - 1, &random))
    case 20..<24 where depth > 0:
      let generic: EchoType.Generic = Bool.random(using: &random) ? .pair : .either
      let first = type(depth: depth - 1, &random)
      return .generic(generic, first, type(depth: depth - 1, &random))
    case 24..<28 where depth > 0: return tuple(depth: depth - 1, &random)
    case 28..<36: return element(Self.shapes, &random)
    case 36..<42: return element(Self.existentials, &random)
    case 42..<46: return element(Self.others, &random)
    case 46..<62 where !nominals.isEmpty: return element(nominals, &random)
    default: return element(Self.scalars, &random)
    }
  }

  /// A type that is hashable.
  func key(_ random: inout SeededGenerator) -> EchoType { element(Self.keys, &random) }

  private mutating func tuple(depth: Int, _ random: inout SeededGenerator) -> EchoType {
    let isLabelled = Bool.random(using: &random)
    var elements: [EchoType.Element] = []
    for index in 0..<Int.random(in: 2...4, using: &random) {
      elements.append(
        .init(label: isLabelled ? "e\(index)" : nil, type: type(depth: depth, &random)))
    }
    return .tuple(elements)
  }

  private func element(_ list: [EchoType], _ random: inout SeededGenerator) -> EchoType {
    list[Int.random(in: list.indices, using: &random)]
  }
}

// MARK: - Structs and enums

extension TypePool {
  mutating func addNominal(_ table: inout DrawTable, _ random: inout SeededGenerator) {
    let name = "Made\(count)"
    count += 1
    var traits: EchoType.Traits = []
    let draw =
      Int.random(in: 0..<5, using: &random) < 3
      ? addStruct(name, &traits, &table, &random) : addEnum(name, &traits, &table, &random)
    nominals.append(.plain(name, draw: draw, traits: traits))
  }

  /// Returns the expression that draws a value.
  private mutating func addStruct(
    _ name: String, _ traits: inout EchoType.Traits, _ table: inout DrawTable,
    _ random: inout SeededGenerator
  ) -> String {
    text += "public struct \(name) {\n"
    var fields: [(label: String?, type: EchoType)] = []
    for index in 0..<Int.random(in: 1...6, using: &random) {
      fields.append(("f\(index)", type(depth: 1, &random)))
      text += "  var f\(index): \(fields[index].type.spelling)\n"
      if fields[index].type.isAddressOnly { traits.insert(.isAddressOnly) }
    }
    text += "}\n"
    return name + table.arguments(fields)
  }

  private mutating func addEnum(
    _ name: String, _ traits: inout EchoType.Traits, _ table: inout DrawTable,
    _ random: inout SeededGenerator
  ) -> String {
    let hasPayloads = Int.random(in: 0..<4, using: &random) > 0
    var draw = ""
    text += "public enum \(name) {\n"
    let cases = Int.random(in: 1...5, using: &random)
    for index in 0..<cases {
      var payload: [(label: String?, type: EchoType)] = []
      for number in 0..<(hasPayloads ? Int.random(in: 0...2, using: &random) : 0) {
        payload.append((number == 1 ? "and" : nil, type(depth: 1, &random)))
        if payload[number].type.isAddressOnly { traits.insert(.isAddressOnly) }
      }
      let isIndirect = !payload.isEmpty && Int.random(in: 0..<6, using: &random) == 0
      text += "  \(isIndirect ? "indirect " : "")case c\(index)\(Self.payload(payload))\n"
      let value = ".c\(index)" + (payload.isEmpty ? "" : table.arguments(payload))
      draw += index == cases - 1 ? "default: \(value) }" : "case \(index): \(value); "
    }
    text += "}\n"
    return "switch dice.below(\(cases)) { " + draw
  }

  private static func payload(_ list: [(label: String?, type: EchoType)]) -> String {
    guard !list.isEmpty else { return "" }
    let texts = list.map { ($0.label.map { "\($0): " } ?? "") + $0.type.spelling }
    return "(" + texts.joined(separator: ", ") + ")"
  }
}
