// SPDX-License-Identifier: MIT

/// Names in the text of a patch.
package enum LuaName {
  /// The words that Lua 5.4 has for itself.
  private static let keywords: Set = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  /// Whether the text can stand as a name: `function T:name()`.
  package static func isValid(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, !isDigit(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || isDigit($0) } && !keywords.contains(String(text))
  }

  /// The text with what no name may have replaced by `_`: `Box_2` of `Box 2`; nil if nothing is left.
  package static func adapted(_ text: some StringProtocol) -> String? {
    var name = text.unicodeScalars.map { scalar in
      scalar.isASCII && (isLetter(UInt8(scalar.value)) || isDigit(UInt8(scalar.value)))
        ? String(scalar) : "_"
    }.joined()
    if name.allSatisfy({ $0 == "_" }) { return nil }
    if name.utf8.first.map(isDigit) == true { name = "_" + name }
    return isValid(name) ? name : name + "_"
  }

  /// The text as a string in double quotes.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == UInt8(ascii: "_")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
