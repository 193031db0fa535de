// SPDX-License-Identifier: MIT

/// A piece of a type's text: a path such as `Swift.String`, or a mark.
struct TypeToken: Hashable {
  let text: String
  let isPath: Bool

  /// The tokens of a type or a condition, without white space and without words that make no
  /// difference.
  static func tokens(of text: some StringProtocol) -> [TypeToken] {
    var tokens: [TypeToken] = []
    var rest = Substring(text)
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if isPathCharacter(first) || first == "@" {
        let word = rest.prefix { isPathCharacter($0) || $0 == "@" }
        rest = rest.dropFirst(word.count)
        if !ignored.contains(String(word)) {
          tokens.append(TypeToken(text: String(word), isPath: true))
        }
      } else {
        let mark = rest.hasPrefix("->") || rest.hasPrefix("==") ? rest.prefix(2) : rest.prefix(1)
        rest = rest.dropFirst(mark.count)
        tokens.append(TypeToken(text: String(mark), isPath: false))
      }
    }
    return tokens
  }

  private static let ignored: Set = ["any", "@escaping"]

  private static func isPathCharacter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "."
      || character == "`" || character == "$"
  }
}

/// Compares what a script has written with what a declaration says.
struct TokenComparison {
  /// The script's names of the declaration's generic parameters, which no symbol names.
  private var parameters: [String: String] = [:]
  let allowsRenaming: Bool

  init(allowsRenaming: Bool) {
    self.allowsRenaming = allowsRenaming
  }

  /// Whether the written text means the declared type; `String` means `Swift.String`.
  mutating func matches(_ written: [TypeToken], _ declared: [TypeToken]) -> Bool {
    guard written.count == declared.count else { return false }
    for (mine, its) in zip(written, declared) {
      guard mine.isPath == its.isPath else { return false }
      if mine.text == its.text || (its.isPath && its.text.hasSuffix("." + mine.text)) { continue }
      guard its.isPath, allowsRenaming, renames(mine.text, its.text) else { return false }
    }
    return true
  }

  /// `Context` for `A`, `Key.Inner` for `B.Inner`: the same for all places where the parameter is.
  private mutating func renames(_ written: String, _ declared: String) -> Bool {
    let mine = written.split(separator: ".", maxSplits: 1).map(String.init)
    let its = declared.split(separator: ".", maxSplits: 1).map(String.init)
    guard let name = its.first, Self.isGenericParameter(name), mine.count == its.count,
      mine.dropFirst().elementsEqual(
        its.dropFirst(), by: { $0 == $1 || $1.hasSuffix("." + $0) })
    else { return false }
    if let known = parameters[name] { return known == mine[0] }
    if parameters.values.contains(mine[0]) { return false }
    parameters[name] = mine[0]
    return true
  }

  /// Whether a name that is printed without a module is a generic parameter, such as `A` or `B1`.
  private static func isGenericParameter(_ name: String) -> Bool {
    let rest = name.drop { ("A"..."Z").contains($0) }
    return rest.count < name.count && rest.allSatisfy(\.isNumber)
  }
}
