// SPDX-License-Identifier: MIT

internal import WaxwingReflection

/// Which kind of declaration a name in a script means.
package enum MemberKind: Hashable, Sendable {
  /// A method, an initializer or a free function.
  case method
  case getter
  case setter

  func includes(_ kind: DeclarationKind) -> Bool {
    switch (self, kind) {
    case (.method, .function), (.method, .operatorFunction), (.method, .initializer),
      (.method, .allocatingInitializer):
      true
    case (.getter, .getter), (.getter, .subscriptGetter): true
    case (.setter, .setter), (.setter, .subscriptSetter): true
    default: false
    }
  }
}

/// A name in a script on its way to the function that it means.
///
/// A function may be named in full, `withdraw(_:memo:)`; with the types of its parameters,
/// `add(_: Swift.Int)`; by its base name, `withdraw`; or by base name and labels joined by `_`,
/// `withdraw_memo`. The first of these forms that fits anything decides.
struct Selector {
  let text: String

  /// Whether it is worth a closer look, which takes much longer: every form begins with the base
  /// name.
  func mayMean(_ declaration: FunctionDeclaration) -> Bool {
    text.utf8.starts(with: declaration.baseName.utf8)
  }

  /// The functions among `candidates` that the name means.
  func matches(among candidates: [RunningFunction]) -> [RunningFunction] {
    let candidates = candidates.filter { mayMean($0.declaration) }
    for form in [isFull, isTyped, isBaseName, isJoined] {
      let found = candidates.filter { form($0.declaration) }
      if !found.isEmpty { return found }
    }
    return []
  }

  private func isFull(_ declaration: FunctionDeclaration) -> Bool {
    declaration.selector == text
  }

  private func isTyped(_ declaration: FunctionDeclaration) -> Bool {
    guard text.contains("(") else { return false }
    let wanted = Self.compact(text)
    return wanted == Self.compact(Self.typed(declaration, \.description))
      || wanted == Self.compact(Self.typed(declaration) { $0.shortDescription() })
      || wanted
        == Self.compact(
          Self.typed(declaration) { $0.shortDescription(in: declaration.module) })
  }

  private func isBaseName(_ declaration: FunctionDeclaration) -> Bool {
    declaration.baseName == text
  }

  private func isJoined(_ declaration: FunctionDeclaration) -> Bool {
    let labels = declaration.labels.compactMap(\.self)
    return !labels.isEmpty && ([declaration.baseName] + labels).joined(separator: "_") == text
  }

  /// `add(_: Swift.Int)`
  static func typed(
    _ declaration: FunctionDeclaration, _ describe: (TypeNode) -> String = \.description
  ) -> String {
    let parameters = declaration.parameters.map {
      "\($0.label ?? "_"): \(describe($0.type))"
    }
    return "\(declaration.baseName)(\(parameters.joined(separator: ", ")))"
  }

  private static func compact(_ text: String) -> String {
    text.filter { !$0.isWhitespace }
  }
}
