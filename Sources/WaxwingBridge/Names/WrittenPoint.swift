// SPDX-License-Identifier: MIT

/// A patch point as it stands in lists and on command lines, in its parts.
struct WrittenPoint {
  /// Where the name of a type or module ends and that of its member begins.
  struct Split: Hashable {
    let owner: String
    /// The owner is followed by `.static`.
    let isStatic: Bool
    let member: String
  }

  let kind: MemberKind
  /// The possible meanings of the text, likeliest first.
  let splits: [Split]

  /// The largest number of places at which a name is split, before and after its first parenthesis
  /// or space. No types are nested deeper, and each place makes two strings and a look at all
  /// types.
  private static let mostSplits = 32

  /// Whether a text is a function's mangled name.
  static func isSymbol(_ text: String) -> Bool { text.hasPrefix("$s") && !text.contains(".") }

  /// - Parameter text: `Bank.Account.withdraw(_:memo:)`; `title.get` is the getter of `title`.
  init(_ text: String) {
    let (name, kind) = Self.accessor(text)
    self.kind = kind
    let dots = name.indices.filter { name[$0] == "." && $0 != name.startIndex }
    let end = name.firstIndex { $0 == "(" || $0.isWhitespace } ?? name.endIndex
    // Names of operators and raw identifiers may have dots.
    let before = dots.prefix { $0 < end }
    let likely =
      before.suffix(Self.mostSplits).reversed()
      + dots.dropFirst(before.count).prefix(Self.mostSplits)
    splits = likely.flatMap { Self.splits(name, at: $0) }
  }

  /// The ways to split a name at a dot: two for a dot before `.static`, as a type may have that
  /// name.
  private static func splits(_ name: String, at dot: String.Index) -> [Split] {
    let member = String(name[name.index(after: dot)...])
    let owner = String(name[..<dot])
    guard !member.isEmpty else { return [] }
    let whole = Split(owner: owner, isStatic: false, member: member)
    guard owner.hasSuffix(marker) else { return [whole] }
    let type = String(owner.dropLast(marker.count))
    return [Split(owner: type, isStatic: true, member: member), whole]
  }

  private static let marker = ".static"

  private static func accessor(_ text: String) -> (name: String, kind: MemberKind) {
    for (kind, word) in MemberKind.words where !word.isEmpty && text.hasSuffix("." + word) {
      return (String(text.dropLast(word.count + 1)), kind)
    }
    return (text, .method)
  }

  /// The text for a member of a type or module.
  static func text(
    _ owner: String, isStatic: Bool, _ member: String, _ kind: MemberKind
  ) -> String {
    owner + (isStatic ? marker : "") + "." + member + kind.ending
  }
}
