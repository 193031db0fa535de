// SPDX-License-Identifier: MIT

/// Finds `patch { … }` or `patch({ … })` at the top of a script.
enum ManifestReader {
  /// The table of the manifest; nil if the script has none.
  /// - Throws: ``PatchError`` if the table is malformed or stands further down.
  static func table(in file: PatchFile) throws(PatchError) -> LuaLiteral? {
    guard var parser = startsWithManifest(file) else {
      if let line = ManifestFinder.lineOfCall(in: file) { throw misplaced(file, line) }
      return nil
    }
    let table = try argument(&parser)
    if let line = ManifestFinder.lineOfCall(after: &parser) {
      throw PatchError(
        .manifest, file: file.name, line: line, message: "the script calls 'patch' a second time",
        remedy: "keep one patch { … } at the top")
    }
    return table
  }

  /// Modules have no manifest of their own.
  static func checkModule(_ file: PatchFile) throws(PatchError) {
    guard let line = ManifestFinder.lineOfCall(in: file) else { return }
    throw PatchError(
      .manifest, file: file.name, line: line, message: "a module has no manifest",
      remedy: "move patch { … } to the top of main.lua")
  }

  /// Names go into tables, paths and commands: one visible word of at most 100 bytes.
  static func checkName(_ name: String, in file: PatchFile) throws(PatchError) {
    let isPlain = !name.unicodeScalars.contains {
      PatchTextCheck.isControl($0) || $0.properties.isWhitespace || $0 == "/"
    }
    guard isPlain, (1...100).contains(name.utf8.count), !name.hasPrefix("-") else {
      throw PatchError(
        .manifest, file: file.name,
        message: "'\(name)' cannot be the name of a patch: it has spaces, '/' or is too long",
        remedy: "write patch { name = \"short-name\" } at the top")
    }
  }

  /// A parser after the word `patch` if that begins the script as a call. Text that is not even Lua
  /// has no manifest: its loader names the mistake better.
  private static func startsWithManifest(_ file: PatchFile) -> LuaLiteralParser? {
    guard var parser = try? LuaLiteralParser(file) else { return nil }
    do throws(PatchError) {
      while try parser.take(";") {}
      guard parser.current.kind == .name("patch") else { return nil }
      try parser.advance()
    } catch { return nil }
    return ManifestFinder.opensCall(parser.current) ? parser : nil
  }

  private static func argument(_ parser: inout LuaLiteralParser) throws(PatchError) -> LuaLiteral {
    let line = parser.current.line
    let isInParentheses = try parser.take("(")
    guard parser.current.kind == .symbol("{") else {
      throw parser.failure(
        "'patch' takes a table of constants, not \(parser.current.text)", line: line,
        remedy: "write patch { name = \"…\", version = 1 }")
    }
    let table = try parser.literal()
    if isInParentheses, try !parser.take(")") {
      throw parser.failure("expected ')' before \(parser.current.text)", remedy: "close the call")
    }
    if ManifestFinder.continuesExpression(parser.current) {
      throw parser.failure(
        "the patch table is followed by \(parser.current.text)",
        remedy: "make it a statement of its own, followed by ';' if necessary")
    }
    return table
  }

  private static func misplaced(_ file: PatchFile, _ line: Int) -> PatchError {
    PatchError(
      .manifest, file: file.name, line: line,
      message: "'patch' must be the first statement of the script",
      remedy: "move it to the top: only comments may come before it")
  }
}
