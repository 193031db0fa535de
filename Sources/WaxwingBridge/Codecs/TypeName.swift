// SPDX-License-Identifier: MIT

/// Names of types as their authors write them.
package enum TypeName {
  /// Without the standard library's module and with its sugar: `[String: Int]`, `Bank.Account?`.
  package static func short(_ type: any Any.Type) -> String {
    if let sugared = type as? any SugaredType.Type { return sugared.sugaredName }
    let name = ModuleNames.displayed(_typeName(type, qualified: true))
    return name.hasPrefix("Swift.") && !name.contains("<") ? String(name.dropFirst(6)) : name
  }
}

private protocol SugaredType {
  static var sugaredName: String { get }
}

extension Optional: SugaredType {
  static var sugaredName: String { TypeName.short(Wrapped.self) + "?" }
}

extension Array: SugaredType {
  static var sugaredName: String { "[\(TypeName.short(Element.self))]" }
}

extension Dictionary: SugaredType {
  static var sugaredName: String {
    "[\(TypeName.short(Key.self)): \(TypeName.short(Value.self))]"
  }
}

extension Set: SugaredType {
  static var sugaredName: String { "Set<\(TypeName.short(Element.self))>" }
}
