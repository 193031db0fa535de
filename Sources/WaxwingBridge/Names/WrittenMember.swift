// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations

/// A member's name as a script writes it, with all that may follow to tell overloads apart:
/// `read(_: String) async -> Int where Context == HTML in Parsers`.
struct WrittenMember {
  /// The labels of `(_:memo:)` or `(_: Int, memo: String)`; nil if there are no parentheses.
  private(set) var labels: [String?]?
  /// The types of `(_: Int, memo: String)`; nil if only the labels are given.
  private(set) var types: [String]?
  private(set) var isAsync = false
  private(set) var result: String?
  private(set) var conditions: [String]?
  /// The module of the declaration, or the mark of its file.
  private(set) var origin: String?

  /// - Parameter base: The base name of the declaration that may be meant.
  /// - Returns: nil if the text is no name of it.
  init?(_ text: String, base: String) {
    guard text.hasPrefix(base) else { return nil }
    var rest = text.dropFirst(base.count)
    if let next = rest.first, !(next == "(" || next.isWhitespace || rest.hasPrefix("->")) {
      return nil
    }
    rest = Self.trimmed(rest)
    if rest.first == "(" {
      guard let end = TypeText.closing(rest) else { return nil }
      guard read(parameters: rest[rest.index(after: rest.startIndex)..<end]) else { return nil }
      rest = Self.trimmed(rest[rest.index(after: end)...])
    }
    guard read(suffix: rest) else { return nil }
  }

  private mutating func read(parameters text: Substring) -> Bool {
    let text = Self.trimmed(text)
    guard !text.isEmpty else {
      labels = []
      types = []
      return true
    }
    if text.last == ":" {
      labels = text.dropLast().split(separator: ":", omittingEmptySubsequences: false)
        .map { Self.label(Self.trimmed($0)) }
      return true
    }
    var labels: [String?] = []
    var types: [String] = []
    for piece in TypeText.split(text, at: ",") {
      guard let colon = piece.firstIndex(of: ":") else { return false }
      labels.append(Self.label(Self.trimmed(piece[..<colon])))
      types.append(String(Self.trimmed(piece[piece.index(after: colon)...])))
    }
    self.labels = labels
    self.types = types
    return true
  }

  private mutating func read(suffix text: Substring) -> Bool {
    var rest = text
    if let (before, after) = TypeText.cut(rest, atLast: "in") {
      origin = String(Self.trimmed(after))
      rest = before
    }
    if let (before, after) = TypeText.cut(rest, atLast: "where") {
      conditions = TypeText.split(after, at: ",").map { String(Self.trimmed($0)) }
      rest = before
    }
    rest = Self.trimmed(rest)
    for (word, path) in [("async", \WrittenMember.isAsync)] where rest.hasPrefix(word) {
      self[keyPath: path] = true
      rest = Self.trimmed(rest.dropFirst(word.count))
    }
    if rest.hasPrefix("throws") {
      rest = Self.trimmed(rest.dropFirst(6))
      if rest.first == "(", let end = TypeText.closing(rest) {
        rest = Self.trimmed(rest[rest.index(after: end)...])
      }
    }
    if rest.hasPrefix("->") {
      result = String(Self.trimmed(rest.dropFirst(2)))
      return result != ""
    }
    return rest.isEmpty
  }

  private static func label(_ text: Substring) -> String? { text == "_" ? nil : String(text) }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}

extension WrittenMember {
  /// How well a name fits; the smaller is the nearer.
  enum Fit: Int, Comparable {
    /// The name is spelled as messages and lists spell it.
    case exact
    /// Types are named without their modules.
    case short
    /// Words before types are left out, or generic parameters have the names that the source has.
    case loose

    static func < (left: Fit, right: Fit) -> Bool { left.rawValue < right.rawValue }
  }

  /// How well the name fits a function; nil if it does not mean the function.
  func fit(_ function: some NamedFunction) -> Fit? {
    let declaration = function.declaration
    if isAsync, !function.isAsync { return nil }
    if let origin, !MemberSpelling.origins(of: declaration).contains(origin) { return nil }
    let parameters = declaration.spelledParameters
    if let labels, parameters?.map(\.label) != labels { return nil }
    let pairs = pairs(declaration, parameters)
    if pairs.contains(where: { $0 == nil }) { return nil }
    let known = pairs.compactMap(\.self)
    let isExact = known.allSatisfy { TypeToken.tokens(of: $0) == TypeToken.tokens(of: $1) }
    let conditionFit = fit(conditions: declaration)
    guard let conditionFit else { return nil }
    if isExact { return conditionFit }
    return Self.fit(known).map { max($0, conditionFit) }
  }

  /// The written and the declared type of each parameter; nil if one of them is missing.
  private func pairs(
    _ declaration: FunctionDeclaration, _ parameters: [(label: String?, type: String)]?
  ) -> [(String, String)?] {
    var pairs: [(String, String)?] = []
    if let types {
      guard let parameters, parameters.count == types.count else { return [nil] }
      pairs += zip(types, parameters.map(\.type)).map { ($0, $1) }
    }
    if let result { pairs.append((result, declaration.spelledResult)) }
    return pairs
  }

  private static func fit(_ pairs: [(String, String)]) -> Fit? {
    var short = TokenComparison(allowsRenaming: false)
    if pairs.allSatisfy({ short.matches(TypeToken.tokens(of: $0), TypeToken.tokens(of: $1)) }) {
      return .short
    }
    var loose = TokenComparison(allowsRenaming: true)
    return pairs.allSatisfy { written, declared in
      Self.readings(of: declared).contains { loose.matches(TypeToken.tokens(of: written), $0) }
    } ? .loose : nil
  }

  /// The possible spellings of a type: as it is, without the words before it, and `T...` as the
  /// array that is passed.
  private static func readings(of declared: String) -> [[TypeToken]] {
    let tokens = TypeToken.tokens(of: declared)
    let bare = Array(tokens.drop { modifiers.contains($0.text) })
    guard declared.hasSuffix("...") else { return [tokens, bare] }
    return [tokens, TypeToken.tokens(of: "[\(declared.dropLast(3))]")]
  }

  private static let modifiers: Set = [
    "inout", "__owned", "__shared", "sending", "isolated", "consuming", "borrowing",
  ]

  /// Whether each condition that is written is one of those declared.
  private func fit(conditions declaration: FunctionDeclaration) -> Fit? {
    guard let conditions else { return .exact }
    let declared = declaration.spelledConditions
    let tokens = conditions.map { TypeToken.tokens(of: $0) }
    if tokens == declared.map({ TypeToken.tokens(of: $0) }) { return .exact }
    for (fit, allowsRenaming) in [(Fit.short, false), (.loose, true)] {
      var comparison = TokenComparison(allowsRenaming: allowsRenaming)
      let isMet = tokens.allSatisfy { written in
        declared.contains { candidate in
          var trial = comparison
          guard trial.matches(written, TypeToken.tokens(of: candidate)) else { return false }
          comparison = trial
          return true
        }
      }
      if isMet { return fit }
    }
    return nil
  }
}
