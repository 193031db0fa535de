// SPDX-License-Identifier: MIT

import SeededRandom

/// Draws values, of which many stand at a limit of their type.
public struct Dice {
  private var generator: SeededGenerator

  public init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func below(_ limit: Int) -> Int { .random(in: 0..<limit, using: &generator) }

  mutating func bool() -> Bool { .random(using: &generator) }

  mutating func integer<Number: FixedWidthInteger>(_: Number.Type) -> Number {
    switch below(8) {
    case 0: .min
    case 1: .max
    case 2: 0
    case 3: 1
    case 4: 0 &- 1
    case 5: Number(truncatingIfNeeded: Int.max)
    case 6: Number(truncatingIfNeeded: 1 << 53 + 1)
    default: .random(in: .min ... .max, using: &generator)
    }
  }

  mutating func double() -> Double {
    let values = [
      0, -0.0, 1, -1.5, 0.1, .infinity, -.infinity, .greatestFiniteMagnitude,
      .leastNonzeroMagnitude, 9_007_199_254_740_992, Double(bitPattern: 0x7ff8_0000_dead_beef),
      Double(bitPattern: 0xfff0_0000_0000_0001),
    ]
    let index = below(values.count + 3)
    return index < values.count
      ? values[index] : Double(bitPattern: generator.next())
  }

  mutating func float() -> Float {
    let values: [Float] = [
      0, -0.0, 1, -1.5, 0.1, .infinity, -.infinity, .greatestFiniteMagnitude,
      .leastNonzeroMagnitude, Float(bitPattern: 0x7fc0_1234), Float(bitPattern: 0xff80_0001),
    ]
    let index = below(values.count + 3)
    return index < values.count
      ? values[index] : Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
  }

  mutating func string() -> String {
    let values = [
      "", "a", "fifteen bytes!!", "sixteen bytes!!!", "zwölf Boxkämpfer", "日本語 🦜 e\u{301}",
      "nul \0 inside", "line\nbreak \"quoted\" \\", String(repeating: "long ", count: 60),
    ]
    let index = below(values.count + 2)
    return index < values.count ? values[index] : "number \(generator.next()) of many"
  }

  mutating func substring() -> Substring { ("<" + string() + ">").dropFirst().dropLast() }

  mutating func character() -> Character {
    let values: [Character] = ["a", "é", "e\u{301}", "🦜", "👨‍👩‍👧‍👦", "\0", "\n", "日", "\r\n"]
    return values[below(values.count)]
  }

  mutating func optional<Value>(_ draw: (inout Dice) -> Value) -> Value? {
    below(3) == 0 ? nil : draw(&self)
  }

  mutating func array<Value>(_ draw: (inout Dice) -> Value) -> [Value] {
    var values: [Value] = []
    for _ in 0..<below(5) { values.append(draw(&self)) }
    return values
  }

  mutating func set<Value: Hashable>(_ draw: (inout Dice) -> Value) -> Set<Value> {
    Set(array(draw))
  }

  mutating func dictionary<Key: Hashable, Value>(
    _ key: (inout Dice) -> Key, _ value: (inout Dice) -> Value
  ) -> [Key: Value] {
    var values: [Key: Value] = [:]
    for _ in 0..<below(5) { values[key(&self)] = value(&self) }
    return values
  }

  mutating func pair<First, Second>(
    _ first: (inout Dice) -> First, _ second: (inout Dice) -> Second
  ) -> Pair<First, Second> {
    let value = first(&self)
    return Pair(first: value, second: second(&self))
  }

  mutating func either<Left, Right>(
    _ left: (inout Dice) -> Left, _ right: (inout Dice) -> Right
  ) -> Either<Left, Right> {
    switch below(3) {
    case 0: .left(left(&self))
    case 1: .right(right(&self))
    default: .neither
    }
  }
}
