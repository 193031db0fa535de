// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// The kind of declaration that a name in a script means.
package enum MemberKind: String, CaseIterable, Hashable, Sendable {
  /// A method, an initializer or a free function.
  case method
  case getter
  case setter
  case willSet
  case didSet

  /// The member kinds with the words that follow a dot in a name; methods have none.
  static let words: [(MemberKind, String)] = [
    (.method, ""), (.getter, "get"), (.setter, "set"), (.willSet, "willSet"), (.didSet, "didSet"),
  ]

  /// `title.get` ends in `.get`.
  var ending: String {
    let word = Self.words.first { $0.0 == self }?.1 ?? ""
    return word.isEmpty ? "" : "." + word
  }

  package func includes(_ kind: DeclarationKind) -> Bool {
    switch (self, kind) {
    case (.method, .function), (.method, .operatorFunction), (.method, .initializer),
      (.method, .allocatingInitializer):
      true
    case (.getter, .getter), (.getter, .subscriptGetter): true
    case (.setter, .setter), (.setter, .subscriptSetter): true
    case (.willSet, .accessor(.willSet)), (.didSet, .accessor(.didSet)): true
    default: false
    }
  }
}

/// A name in a script on its way to the function that it means.
///
/// A function may be named in full, `withdraw(_:memo:)`; with the types of its parameters,
/// `add(_: Swift.Int)`, its result, `read(_:) -> Swift.Int`, and the conditions that it is declared
/// under, `title(_:) where Context == HTML`; by its base name, `withdraw`; by base name and labels
/// joined by `_`, `withdraw_memo`; or by its symbol. The first of these forms that fits anything
/// decides.
package struct Selector {
  let text: String

  package init(text: String) {
    self.text = text
  }

  /// Whether the declaration is worth a full comparison, which takes much longer: every form of a
  /// name begins with the base name.
  func mayMean(_ declaration: FunctionDeclaration) -> Bool {
    text.utf8.starts(with: declaration.baseName.utf8) || isSymbol
  }

  /// The functions among `candidates` that the name means.
  package func matches<Function: NamedFunction>(among candidates: [Function]) -> [Function] {
    if isSymbol { return candidates.filter { $0.symbol == text } }
    let candidates = candidates.filter { mayMean($0.declaration) }
    let full = candidates.filter { $0.declaration.selector == text }
    if !full.isEmpty { return Self.synchronous(full) }
    let detailed = self.detailed(candidates)
    if !detailed.isEmpty { return detailed }
    for form in [isBaseName, isJoined] {
      let found = candidates.filter { form($0.declaration) }
      if !found.isEmpty { return found }
    }
    return []
  }

  private var isSymbol: Bool { text.hasPrefix("$s") }

  /// The candidates for a name that contains more than the labels.
  private func detailed<Function: NamedFunction>(_ candidates: [Function]) -> [Function] {
    guard text.contains(where: { $0 == "(" || $0 == " " || $0 == ">" }) else { return [] }
    let fits = candidates.compactMap { candidate -> (Function, WrittenMember, WrittenMember.Fit)? in
      guard let written = WrittenMember(text, base: candidate.declaration.baseName),
        let fit = written.fit(candidate)
      else { return nil }
      return (candidate, written, fit)
    }
    guard let best = fits.map(\.2).min() else { return [] }
    let found = fits.filter { $0.2 == best }
    return found.contains { $0.1.isAsync } ? found.map(\.0) : Self.synchronous(found.map(\.0))
  }

  /// Of functions that differ only by `async`, those that are not async: a full name says that a
  /// function is async.
  private static func synchronous<Function: NamedFunction>(_ functions: [Function]) -> [Function] {
    let plain = functions.filter { !$0.isAsync }
    return plain.isEmpty ? functions : plain
  }

  private func isBaseName(_ declaration: FunctionDeclaration) -> Bool {
    declaration.baseName == text
  }

  private func isJoined(_ declaration: FunctionDeclaration) -> Bool {
    let labels = declaration.labels.compactMap(\.self)
    return !labels.isEmpty && ([declaration.baseName] + labels).joined(separator: "_") == text
  }
}
