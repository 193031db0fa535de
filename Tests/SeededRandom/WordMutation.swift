// SPDX-License-Identifier: MIT

/// Puts other words into a text than it has: what is damaged so is often still read as a text, and
/// gets further than with bytes at random.
public struct WordMutation: Sendable {
  private let words: [[UInt8]]

  /// - Parameter words: What may be put in: names, numbers, punctuation.
  public init(words: [String]) { self.words = words.map { Array($0.utf8) } }

  /// A few words are replaced, removed, doubled or added.
  public func of(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var text = text
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let word = words.randomElement(using: &random) ?? []
      guard !text.isEmpty else { return word }
      let place = self.word(at: Int.random(in: 0..<text.count, using: &random), in: text)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: text.removeSubrange(place)
      case 1: text.insert(contentsOf: text[place], at: place.upperBound)
      case 2: text.insert(contentsOf: word + [0x20], at: place.lowerBound)
      default: text.replaceSubrange(place, with: word)
      }
    }
    return text
  }

  /// The letters and digits around a place, or the one byte there.
  private func word(at place: Int, in text: [UInt8]) -> Range<Int> {
    guard Self.isPart(text[place]) else { return place..<(place + 1) }
    let start = text[..<place].lastIndex { !Self.isPart($0) }.map { $0 + 1 } ?? 0
    return start..<(text[place...].firstIndex { !Self.isPart($0) } ?? text.count)
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
