// SPDX-License-Identifier: MIT

/// One JSON object on one line, its members in the order in which they were added.
///
/// Control characters and what turns or breaks lines in viewers are escaped, so that no text of a
/// patch's making looks like something else.
package struct JSONLine {
  /// The object without its closing brace.
  private var text = "{"
  private var names: Set<String> = []

  /// Creates an empty object.
  package init() {}

  /// The text of the whole object.
  package var object: String { text + "}" }

  /// Adds a number.
  package mutating func add(_ name: String, _ number: Int) { add(name, raw: "\(number)") }

  /// Adds a number with a fraction; JSON has no word for those that are not finite.
  package mutating func add(_ name: String, _ number: Double) {
    if number.isFinite { add(name, raw: "\(number)") } else { add(name, "\(number)") }
  }

  /// Adds a truth value.
  package mutating func add(_ name: String, _ flag: Bool) { add(name, raw: "\(flag)") }

  /// Adds text, cut to that many bytes.
  package mutating func add(_ name: String, _ string: String, atMost limit: Int = 4096) {
    add(name, raw: Self.quoted(string, atMost: limit))
  }

  /// Adds text if there is any.
  package mutating func add(_ name: String, ifSome string: String?, atMost limit: Int = 4096) {
    if let string { add(name, string, atMost: limit) }
  }

  /// Adds a value that is JSON already. A name that exists gets a number, so that no member occurs
  /// twice.
  package mutating func add(_ name: String, raw json: String) {
    var unique = name
    var number = 2
    while !names.insert(unique).inserted {
      unique = "\(name)_\(number)"
      number += 1
    }
    if text.utf8.count > 1 { text += "," }
    text += Self.quoted(unique, atMost: 256) + ":" + json
  }

  /// The text as a JSON string.
  static func quoted(_ string: String, atMost limit: Int = 4096) -> String {
    var result = "\""
    var length = 0
    for scalar in string.unicodeScalars {
      length += UTF8.width(scalar)
      if length > limit {
        result += "…"
        break
      }
      switch scalar.value {
      case 0x22: result += "\\\""
      case 0x5c: result += "\\\\"
      case 0x0a: result += "\\n"
      case 0x09: result += "\\t"
      case _ where VisibleText.isUnsafe(scalar): result += VisibleText.jsonEscape(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
