// SPDX-License-Identifier: MIT

/// Writes untrusted text so that it cannot look like something else.
///
/// Names and messages come from patches, programs and clients. A line break in one would begin a line
/// of its own, a control character would steer the terminal, and marks that turn or hide text would
/// make it read as another. All of them are shown as escapes, and never sent.
package enum VisibleText {
  /// Whether a character would break a line, steer a terminal, turn text, or not be seen: control
  /// characters (C0, DEL, C1), line and paragraph separators, format characters such as those that
  /// set the direction of text, and all that fonts leave out.
  package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7f }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// The text on one line: unsafe characters become `\n`, `\t` or `\u{…}`. Safe characters do not
  /// change, so doing it twice changes nothing.
  package static func line(_ text: some StringProtocol, atMost limit: Int = .max) -> String {
    escaped(text, atMost: limit) { isUnsafe($0) ? escape($0) : nil }
  }

  /// The text as several lines of the tool's own, whose line breaks and tabs stay.
  package static func lines(_ text: some StringProtocol) -> String {
    escaped(text, atMost: .max) { scalar in
      scalar == "\n" || scalar == "\t" || !isUnsafe(scalar) ? nil : escape(scalar)
    }
  }

  /// The text between quotation marks, in which quotation marks and backslashes are escaped, too,
  /// so that its end is clear and it can be read back.
  package static func quoted(_ text: some StringProtocol, atMost limit: Int = .max) -> String {
    let inside = escaped(text, atMost: limit) { scalar in
      scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : isUnsafe(scalar) ? escape(scalar) : nil
    }
    return "\"\(inside)\""
  }

  /// JSON without unsafe characters. They can only stand in its strings, except the line breaks between
  /// its members.
  package static func json(_ text: some StringProtocol) -> String {
    escaped(text, atMost: .max) { $0 == "\n" || !isUnsafe($0) ? nil : jsonEscape($0) }
  }

  /// A character as JSON's strings escape it.
  static func jsonEscape(_ scalar: Unicode.Scalar) -> String {
    UTF16.encode(scalar).map { units in
      units.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    } ?? "\\ufffd"
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
  }

  private static func escaped(
    _ text: some StringProtocol, atMost limit: Int, _ escape: (Unicode.Scalar) -> String?
  ) -> String {
    // Most texts stay as they are: they are not put together again.
    if text.utf8.count <= limit, text.unicodeScalars.allSatisfy({ escape($0) == nil }) {
      return String(text)
    }
    var result = String.UnicodeScalarView()
    var left = limit
    for scalar in text.unicodeScalars {
      guard left > 0 else {
        result.append("…")
        break
      }
      left -= 1
      if let escaped = escape(scalar) {
        result.append(contentsOf: escaped.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
