// SPDX-License-Identifier: MIT

/// Finds the places in a type's text that are not inside brackets.
enum TypeText {
  /// The place of the parenthesis that closes the first character.
  static func closing(_ text: Substring) -> Substring.Index? {
    var result: Substring.Index?
    scan(text) { index, depth in
      if depth == 0, text[index] == ")" { result = index }
      return result == nil
    }
    return result
  }

  /// The pieces between the marks.
  static func split(_ text: Substring, at mark: Character) -> [Substring] {
    var pieces: [Substring] = []
    var start = text.startIndex
    scan(text) { index, depth in
      if depth == 0, text[index] == mark {
        pieces.append(text[start..<index])
        start = text.index(after: index)
      }
      return true
    }
    return pieces + [text[start...]]
  }

  /// The texts before and after the last occurrence of a word; nil if the word does not occur.
  static func cut(_ text: Substring, atLast word: String) -> (Substring, Substring)? {
    var result: (Substring, Substring)?
    scan(text) { index, depth in
      let rest = text[index...]
      let isWord = index == text.startIndex || text[text.index(before: index)].isWhitespace
      if depth == 0, isWord, rest.hasPrefix(word),
        rest.dropFirst(word.count).first?.isWhitespace == true
      {
        result = (text[..<index], rest.dropFirst(word.count))
      }
      return true
    }
    return result
  }

  /// - Parameter body: Gets each place, and the number of brackets around it; returns false to
  ///   stop.
  private static func scan(_ text: Substring, _ body: (Substring.Index, Int) -> Bool) {
    var depth = 0
    var previous: Character = " "
    for index in text.indices {
      let character = text[index]
      if "([<".contains(character) { depth += 1 }
      if ")]".contains(character) || (character == ">" && previous != "-") { depth -= 1 }
      previous = character
      if !body(index, depth) { return }
    }
  }
}
