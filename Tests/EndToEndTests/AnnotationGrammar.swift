// SPDX-License-Identifier: MIT

/// The grammar of LuaCATS annotations, as far as definitions use it: says what is wrong with a line, and
/// which types it names. https://luals.github.io/wiki/annotations/
struct AnnotationGrammar {
  private struct Mistake: Error {
    let text: String
  }

  /// Types that the lines define.
  private(set) var defined: Set<String> = [
    "nil", "any", "boolean", "string", "number", "integer", "function", "table", "thread",
    "userdata",
    "unknown", "self",
  ]
  /// Types that the lines name, with the first line that does.
  private(set) var named: [String: String] = [:]
  private(set) var mistakes: [String] = []
  private(set) var count = 0

  private var generic: Set<String> = []
  private var line = ""
  private var rest: Substring = ""

  /// Names that nothing defines.
  var undefined: [String] { named.keys.filter { !defined.contains($0) }.sorted() }

  mutating func read(_ text: some StringProtocol) {
    guard text.hasPrefix("---@") else {
      // Generic parameters are those of the function below.
      if !text.hasPrefix("---") { generic = [] }
      return
    }
    line = String(text)
    rest = Substring(text).dropFirst(4)
    count += 1
    do { try annotation() } catch let mistake as Mistake {
      mistakes.append("\(mistake.text): \(line)")
    } catch {}
  }

  private mutating func annotation() throws {
    let word = take { $0.isLetter }
    switch word {
    case "meta": rest = ""
    case "async": break
    case "class":
      space()
      defined.insert(try name())
      if skip(":") { try list { try $0.type() } }
    case "alias":
      space()
      defined.insert(try name())
      space()
      try type()
    case "field": try field()
    case "param":
      space()
      if !skip("...") { _ = try identifier() }
      _ = skip("?")
      try needSpace()
      try type()
    case "return", "type":
      try needSpace()
      try list { try $0.type() }
    case "overload":
      try needSpace()
      try type()
      guard line.contains("@overload fun(") else { throw Mistake(text: "no function") }
    case "generic":
      try needSpace()
      try list { parser in
        parser.generic.insert(try parser.identifier())
        if parser.skip(":") { try parser.type() }
      }
    case "operator":
      space()
      _ = try identifier()
      if skip("(") {
        try type()
        try need(")")
      }
      if skip(":") { try type() }
    default: throw Mistake(text: "unknown annotation")
    }
    guard rest.isEmpty || rest.first == " " else { throw Mistake(text: "'\(rest)' is left") }
  }

  private mutating func field() throws {
    space()
    if skip("[") {
      try type()
      try need("]")
    } else {
      _ = try identifier()
      _ = skip("?")
    }
    try needSpace()
    try type()
  }

  // MARK: Types

  private mutating func type() throws {
    try primary()
    while true {
      if skip("[]") || skip("?") { continue }
      guard skip("|") else { return }
      try primary()
    }
  }

  private mutating func primary() throws {
    space()
    if skip("(") {
      try type()
      try need(")")
    } else if skip("{") {
      try table()
    } else if rest.first == "\"" {
      try string()
    } else if rest.first?.isNumber == true {
      _ = take { $0.isNumber }
    } else if skip("fun(") {
      try function()
    } else {
      let name = try name()
      if !generic.contains(name), named[name] == nil { named[name] = line }
      if skip("<") {
        try list { try $0.type() }
        try need(">")
      }
    }
  }

  private mutating func function() throws {
    if !skip(")") {
      try list { parser in
        parser.space()
        if !parser.skip("...") { _ = try parser.identifier() }
        _ = parser.skip("?")
        if parser.skip(":") { try parser.type() }
      }
      try need(")")
    }
    if skip(":") { try list { try $0.type() } }
  }

  private mutating func table() throws {
    try list { parser in
      parser.space()
      if parser.skip("[") {
        try parser.type()
        try parser.need("]")
      } else {
        _ = try parser.identifier()
        _ = parser.skip("?")
      }
      try parser.need(":")
      try parser.type()
    }
    space()
    try need("}")
  }

  private mutating func string() throws {
    rest = rest.dropFirst()
    while let character = rest.popFirst() {
      if character == "\\" { _ = rest.popFirst() }
      if character == "\"" { return }
    }
    throw Mistake(text: "a string has no end")
  }

  private mutating func list(_ element: (inout Self) throws -> Void) throws {
    try element(&self)
    while skip(",") { try element(&self) }
  }

  // MARK: Text

  /// A type's: words with dots.
  private mutating func name() throws -> String {
    space()
    let name = take { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    guard name.first?.isNumber == false, name.first != ".", !name.hasSuffix(".") else {
      throw Mistake(text: "no name at '\(name)\(rest)'")
    }
    return name
  }

  private mutating func identifier() throws -> String {
    space()
    let name = take { $0.isLetter || $0.isNumber || $0 == "_" }
    guard name.first?.isNumber == false else { throw Mistake(text: "no name at '\(name)\(rest)'") }
    return name
  }

  private mutating func take(_ isWanted: (Character) -> Bool) -> String {
    let found = rest.prefix(while: isWanted)
    rest = rest.dropFirst(found.count)
    return String(found)
  }

  private mutating func space() { rest = rest.drop { $0 == " " } }

  private mutating func needSpace() throws {
    guard rest.first == " " else { throw Mistake(text: "no space at '\(rest)'") }
    space()
  }

  private mutating func skip(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }

  private mutating func need(_ text: String) throws {
    guard skip(text) else { throw Mistake(text: "no '\(text)' at '\(rest)'") }
  }
}
