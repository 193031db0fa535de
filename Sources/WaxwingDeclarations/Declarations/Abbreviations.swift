// SPDX-License-Identifier: MIT

/// The parts of a symbol's name that were mentioned so far, and their abbreviations when they come
/// again, as the compiler makes them (`ASTMangler.cpp`, `mangleIdentifier` in `ManglingUtils.h`).
struct Abbreviations {
  /// Whole identifiers, by number.
  private var identifiers: [String: Int] = [:]
  /// How many identifiers and types have been mentioned.
  private var count = 0
  private var words: [ArraySlice<UInt8>] = []

  /// - Returns: The abbreviation of an identifier that was mentioned before; nil if this is the
  ///   first time.
  mutating func note(_ identifier: String) -> String? {
    if let known = identifiers[identifier] {
      return known < 26 ? "A" + Self.letter(known, of: "A") : "A\(TypeMangler.index(known - 26))"
    }
    identifiers[identifier] = count
    count += 1
    return nil
  }

  /// A type has a number as well.
  mutating func noteType() { count += 1 }

  /// An identifier with a letter for each word that has been there before, also in itself. The last letter is upper
  /// case.
  mutating func abbreviated(_ identifier: String) -> String {
    let bytes = Array(identifier.utf8)
    let replaced = noteWords(of: bytes)
    guard !replaced.isEmpty else { return "\(bytes.count)\(identifier)" }
    var text = "0"
    var position = 0
    func spellOut(to end: Int) {
      guard position < end else { return }
      text += "\(end - position)" + String(decoding: bytes[position..<end], as: UTF8.self)
    }
    for (place, word) in replaced {
      spellOut(to: place.lowerBound)
      position = place.upperBound
      text += Self.letter(word, of: place == replaced.last?.place ? "A" : "a")
    }
    if position == bytes.count { return text + "0" }
    spellOut(to: bytes.count)
    return text
  }

  /// Where words are that have been there before, and which; the others are remembered.
  private mutating func noteWords(of bytes: [UInt8]) -> [(place: Range<Int>, word: Int)] {
    var found: [(place: Range<Int>, word: Int)] = []
    var start: Int?
    for (index, byte) in (bytes + [0]).enumerated() {
      if let begin = start, Demangler.endsWord(byte, after: bytes[index - 1]) {
        let word = bytes[begin..<index]
        if let known = words.firstIndex(of: word) {
          found.append((begin..<index, known))
        } else if word.count >= 2, words.count < Demangler.mostWords {
          words.append(word)
        }
        start = nil
      }
      if start == nil, Demangler.startsWord(byte) { start = index }
    }
    return found
  }

  private static func letter(_ number: Int, of first: Unicode.Scalar) -> String {
    String(Character(Unicode.Scalar(UInt8(first.value) + UInt8(number))))
  }
}
