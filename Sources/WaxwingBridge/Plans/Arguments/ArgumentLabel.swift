// SPDX-License-Identifier: MIT

internal import WaxwingValues

/// Compares a label with the argument after it, where only labels tell overloads apart.
package enum ArgumentLabel {
  /// How far a label is from naming its argument: 0 for its type, `string` of a `String`; 1 for the end of the type's
  /// name, `headers` of `HTTPHeaders`, and for the value as such, `identifier`; 2 for any other; 3 for what only the
  /// compiler passes.
  static func distance(_ label: String, _ type: any Any.Type) -> Int {
    if isOfCompiler(label) { return ofCompiler }
    if names(label, type) { return 0 }
    return values.contains(label) || endsName(label, of: type) ? 1 : 2
  }

  /// The distance of what only the compiler passes.
  static let ofCompiler = 3

  /// Whether a call without labels never means a library's initializer with this label: it converts
  /// values that do not fit, or is for the compiler.
  package static func mustBeWritten(_ label: String?) -> Bool {
    guard let label else { return false }
    return label.hasPrefix("_") || label.hasPrefix("truncating")
      || ["bitPattern", "clamping", "exactly"].contains(label)
  }

  private static let values: Set<String> = ["value", "identifier", "rawValue", "elements"]

  private static func names(_ label: String, _ type: any Any.Type) -> Bool {
    let type = (type as? any OptionalType.Type)?.wrappedType ?? type
    if let name = collectionName(type) { return label == name }
    return label.lowercased() == TypeName.short(type).split(separator: ".").last?.lowercased()
  }

  /// Whether the label equals the last words of the type's name.
  private static func endsName(_ label: String, of type: any Any.Type) -> Bool {
    let type = (type as? any OptionalType.Type)?.wrappedType ?? type
    guard let name = TypeName.short(type).split(separator: ".").last,
      name.count > label.count, name.suffix(label.count).lowercased() == label.lowercased()
    else { return false }
    return name.suffix(label.count).first?.isUppercase == true
  }

  private static func collectionName(_ type: any Any.Type) -> String? {
    if type is any ArrayType.Type { return "array" }
    if type is any DictionaryType.Type { return "dictionary" }
    return TypeName.short(type).hasPrefix("Set<") ? "set" : nil
  }

  /// Whether the label is one of the compiler's, such as `integerLiteral`, `_builtinStringLiteral`
  /// or `stringInterpolation`.
  private static func isOfCompiler(_ label: String) -> Bool {
    label.hasPrefix("_") || label.hasSuffix("Literal") || label == "stringInterpolation"
  }
}

/// A protocol that recognises dictionaries of any type.
protocol DictionaryType {}

extension Dictionary: DictionaryType {}
