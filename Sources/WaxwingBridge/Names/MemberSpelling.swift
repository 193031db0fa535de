// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// Spells a function's name for lists and messages, with as much detail as distinguishes it from
/// others, and no more.
package struct MemberSpelling {
  /// The parts that may be written after a name.
  private struct Parts: OptionSet {
    let rawValue: Int
    // In the order in which they are preferred.
    static let types = Parts(rawValue: 1)
    static let conditions = Parts(rawValue: 2)
    static let result = Parts(rawValue: 4)
    static let async = Parts(rawValue: 8)
    static let origin = Parts(rawValue: 16)
  }

  /// All combinations, those of few parts first.
  private static let combinations = (0..<32).map(Parts.init).sorted {
    ($0.rawValue.nonzeroBitCount, $0.rawValue) < ($1.rawValue.nonzeroBitCount, $1.rawValue)
  }

  /// The shortest name that means `function` and no other function of the same scope. If nothing
  /// else distinguishes it, that is its symbol.
  /// - Parameter meant: The functions that a name means there.
  static func shortest<Function: NamedFunction>(
    of function: Function, _ meant: (String) -> [Function]
  ) -> String {
    let selector = function.declaration.selector
    if meant(selector) == [function] { return selector }
    var seen: Set = [selector]
    for text in spellings(of: function) where seen.insert(text).inserted {
      if meant(text) == [function] { return text }
    }
    return function.symbol
  }

  package static func shortest<Function: NamedFunction>(
    of function: Function, among functions: [Function]
  ) -> String {
    shortest(of: function) { NameResolver.meant(by: $0, among: functions) }
  }

  private static func spellings(of function: some NamedFunction) -> [String] {
    combinations.flatMap { parts in
      parts.contains(.origin)
        ? origins(of: function.declaration).map { text(function, parts) + " in \($0)" }
        : [text(function, parts)]
    }
  }

  private static func text(_ function: some NamedFunction, _ parts: Parts) -> String {
    let declaration = function.declaration
    var text = parts.contains(.types) ? typed(declaration) : declaration.selector
    if parts.contains(.async), function.isAsync { text += " async" }
    if parts.contains(.result) { text += " -> " + declaration.spelledResult }
    let conditions = declaration.spelledConditions
    if parts.contains(.conditions), !conditions.isEmpty {
      text += " where " + conditions.joined(separator: ", ")
    }
    return text
  }

  /// The selector with types, such as `add(_: Swift.Int)`.
  package static func typed(_ declaration: FunctionDeclaration) -> String {
    guard let parameters = declaration.spelledParameters else { return declaration.selector }
    let list = parameters.map { "\($0.label ?? "_"): \($0.type)" }.joined(separator: ", ")
    return "\(declaration.baseName)(\(list))"
  }

  /// The words that distinguish declarations that are otherwise alike: the module that has them,
  /// and the mark of declarations that are private to a file.
  static func origins(of declaration: FunctionDeclaration) -> [String] {
    let module = declaration.module
    guard let file = declaration.privateDiscriminator else { return [module] }
    return [module, file, "\(module).\(file)"]
  }
}
