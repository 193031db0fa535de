// SPDX-License-Identifier: MIT

/// A module whose name has a word twice, and names that have words of it: the compiler writes letters for these in
/// symbols.
public func doubled(_ number: Int) -> Int { number * 2 }

public var limitOfWords: Int { 7 }

public struct WordsOfLimit {
  public let words: Int

  public init(words: Int) { self.words = words }

  public func wordsLeft() -> Int { words - 1 }

  /// A type that is found by the function that it is declared in.
  public func described() -> String {
    struct LimitOfWords {
      let words: Int
      func text() -> String { "\(words) words" }
    }
    return LimitOfWords(words: words).text()
  }
}

public final class Words_of_Words {
  public init() {}

  public func wordsOfWords() -> String { "words" }
}
