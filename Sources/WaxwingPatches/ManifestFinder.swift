// SPDX-License-Identifier: MIT

/// Looks through a script for calls of `patch` as a statement.
enum ManifestFinder {
  static func lineOfCall(in file: PatchFile) -> Int? {
    guard var parser = try? LuaLiteralParser(file) else { return nil }
    return scan(&parser)
  }

  /// Searches after the manifest.
  static func lineOfCall(after parser: inout LuaLiteralParser) -> Int? {
    scan(&parser)
  }

  static func opensCall(_ token: LuaToken) -> Bool {
    switch token.kind {
    case .symbol("{"), .symbol("("), .string: true
    default: false
    }
  }

  static func continuesExpression(_ token: LuaToken) -> Bool {
    switch token.kind {
    case .symbol(let text): text != ";" && text != "::"
    case .string, .keyword("and"), .keyword("or"): true
    default: false
    }
  }

  /// Stops in silence where the text is no longer Lua: its loader names that mistake. A script
  /// that makes a `patch` of its own may call it.
  private static func scan(_ parser: inout LuaLiteralParser) -> Int? {
    var previous: LuaToken?
    var found: Int?
    while parser.current.kind != .end {
      let token = parser.current
      do throws(PatchError) { try parser.advance() } catch { return found }
      if token.kind == .name("patch") {
        if isDeclaration(previous) { return nil }
        if found == nil, beginsStatement(after: previous), opensCall(parser.current) {
          found = token.line
        }
      }
      previous = token
    }
    return found
  }

  private static func isDeclaration(_ previous: LuaToken?) -> Bool {
    previous?.kind == .keyword("local") || previous?.kind == .keyword("function")
  }

  /// Whether a statement begins after this token. Two expressions in a row are two statements, and
  /// a statement begins after `do`, `then` and the like.
  private static func beginsStatement(after previous: LuaToken?) -> Bool {
    switch previous?.kind {
    case nil, .name, .string, .integer, .float: true
    case .symbol(let text): [")", "]", "}", ";", "::", "..."].contains(text)
    case .keyword(let word):
      ["break", "do", "else", "end", "false", "nil", "repeat", "then", "true"].contains(word)
    case .end: false
    }
  }
}
