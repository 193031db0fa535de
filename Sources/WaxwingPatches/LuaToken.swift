// SPDX-License-Identifier: MIT

/// One word of Lua source, with the place that it starts at.
package struct LuaToken: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case name(String)
    case keyword(String)
    case symbol(String)
    case string([UInt8])
    case integer(Int64)
    case float(Double)
    case end
  }

  package let kind: Kind
  package let line: Int
  /// The column in characters, counted from 1.
  package let column: Int

  /// Lua 5.4's reserved words.
  static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  /// How a message names the token.
  package var text: String {
    switch kind {
    case .name(let word), .keyword(let word), .symbol(let word): "'\(word)'"
    case .string: "a string"
    case .integer(let value): "\(value)"
    case .float(let value): "\(value)"
    case .end: "the end of the file"
    }
  }
}
