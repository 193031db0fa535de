// SPDX-License-Identifier: MIT

/// One JSON object on one line, its members in the order in which they were added.
///
/// Control characters and what turns or breaks lines in viewers are escaped, so that no text of a
/// patch's making looks like something else.
package struct JSONLine {
  /// The object without its closing brace.
  private var text = "{"
  private var names: Set<String> = []

  /// An empty object.
  package init() {}

  /// The whole object.
  package var object: String { text + "}" }

  /// Adds a number.
  package mutating func add(_ name: String, _ number: Int) { add(name, raw: "\(number)") }

  /// Adds text, cut to that many bytes.
  package mutating func add(_ name: String, _ string: String, atMost limit: Int = 4096) {
    add(name, raw: Self.quoted(string, atMost: limit))
  }

  /// Adds text if there is any.
  package mutating func add(_ name: String, ifSome string: String?, atMost limit: Int = 4096) {
    if let string { add(name, string, atMost: limit) }
  }

  /// Adds what is JSON already. A name that is there gets a number: nothing is said twice.
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

  /// A JSON string.
  package static func quoted(_ string: String, atMost limit: Int = 4096) -> String {
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
      case 0..<0x20, 0x7f..<0xa0, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069:
        result += escape(scalar.value)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func escape(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
