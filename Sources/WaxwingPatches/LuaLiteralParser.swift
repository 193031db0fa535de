// SPDX-License-Identifier: MIT

/// Reads constants from tokens, one token ahead.
struct LuaLiteralParser {
  /// A manifest needs two levels; the limit only keeps hostile nesting off the stack.
  private static let depthLimit = 32

  private var tokenizer: LuaTokenizer

  /// The token that comes next.
  private(set) var current: LuaToken

  init(_ file: PatchFile) throws(PatchError) {
    tokenizer = LuaTokenizer(file)
    current = try tokenizer.next()
  }

  mutating func advance() throws(PatchError) { current = try tokenizer.next() }

  /// Takes one of the symbols if it comes next.
  mutating func take(_ symbols: String...) throws(PatchError) -> Bool {
    guard case .symbol(let symbol) = current.kind, symbols.contains(symbol) else { return false }
    try advance()
    return true
  }

  func failure(_ message: String, line: Int? = nil, remedy: String) -> PatchError {
    tokenizer.failure(message, line: line ?? current.line, remedy: remedy)
  }

  mutating func literal(depth: Int = 0) throws(PatchError) -> LuaLiteral {
    let line = current.line
    if try take("{") { return LuaLiteral(value: .table(try fields(line, depth + 1)), line: line) }
    let isNegative = try take("-")
    let value: LuaLiteral.Value
    switch current.kind {
    case .integer(let number): value = .integer(isNegative ? 0 &- number : number)
    case .float(let number): value = .float(isNegative ? -number : number)
    case .string(let bytes) where !isNegative: value = .string(bytes)
    case .keyword("true") where !isNegative: value = .boolean(true)
    case .keyword("false") where !isNegative: value = .boolean(false)
    case .keyword("nil") where !isNegative: value = .nil
    default: throw notConstant()
    }
    try advance()
    return LuaLiteral(value: value, line: line)
  }

  private mutating func fields(_ line: Int, _ depth: Int) throws(PatchError) -> [LuaLiteralField] {
    guard depth <= Self.depthLimit else {
      throw failure("tables are nested deeper than \(Self.depthLimit)", remedy: "flatten them")
    }
    var fields: [LuaLiteralField] = []
    while try !take("}") {
      if current.kind == .end {
        throw failure("the table has no end", line: line, remedy: "close it with '}'")
      }
      fields.append(try field(depth))
      if try take(",", ";") { continue }
      guard current.kind == .symbol("}") || current.kind == .end else { throw notConstant() }
    }
    return fields
  }

  private mutating func field(_ depth: Int) throws(PatchError) -> LuaLiteralField {
    let line = current.line
    if case .name(let name) = current.kind {
      try advance()
      // `{ name }` uses a variable; only `name =` is a key.
      guard try take("=") else { throw notConstant("'\(name)'", line: line) }
      let key = LuaLiteral(value: .string(Array(name.utf8)), line: line)
      return LuaLiteralField(key: key, value: try literal(depth: depth))
    }
    guard try take("[") else {
      return LuaLiteralField(key: nil, value: try literal(depth: depth))
    }
    let key = try literal(depth: depth)
    let isClosed = try take("]")
    guard isClosed, try take("=") else {
      throw failure("expected '] =' before \(current.text)", remedy: "write ['key'] = value")
    }
    return LuaLiteralField(key: key, value: try literal(depth: depth))
  }

  private func notConstant(_ text: String? = nil, line: Int? = nil) -> PatchError {
    failure(
      "the patch table may contain constants only, not \(text ?? current.text)", line: line,
      remedy: "write the value itself; the table is read without running the script")
  }
}
