// SPDX-License-Identifier: MIT

internal import WaxwingPatches

/// Reads Lua 5.4, manual §9, one token ahead. It finds out what each name stands for, and leaves
/// to Lua's compiler what a text must not do: labels, attributes, `break` outside of loops.
struct LuaParser {
  /// Lua's own limit is 200 levels.
  private static let mostLevels = 210

  private var tokenizer: LuaTokenizer
  private var current: LuaToken
  private var scopes = LuaScopes()
  private var level = 0

  init(_ file: PatchFile) throws(LuaSyntaxError) {
    tokenizer = LuaTokenizer(file)
    do throws(PatchError) { current = try tokenizer.next() } catch {
      throw LuaSyntaxError(error)
    }
  }

  mutating func chunk() throws(LuaSyntaxError) -> [LuaStatement] {
    let statements = try block()
    guard current.kind == .end else { throw unexpected() }
    return statements
  }

  // MARK: Tokens

  private mutating func advance() throws(LuaSyntaxError) {
    do throws(PatchError) { current = try tokenizer.next() } catch {
      throw LuaSyntaxError(error)
    }
  }

  private mutating func take(_ kind: LuaToken.Kind) throws(LuaSyntaxError) -> Bool {
    guard current.kind == kind else { return false }
    try advance()
    return true
  }

  private mutating func takeSymbol(_ text: String) throws(LuaSyntaxError) -> Bool {
    try take(.symbol(text))
  }

  private mutating func expect(_ kind: LuaToken.Kind) throws(LuaSyntaxError) {
    guard try take(kind) else { throw unexpected() }
  }

  private mutating func name() throws(LuaSyntaxError) -> String {
    guard case .name(let name) = current.kind else { throw unexpected() }
    try advance()
    return name
  }

  private func unexpected() -> LuaSyntaxError {
    LuaSyntaxError(place: current.place, message: "unexpected \(current.text)")
  }

  private mutating func deeper<Result>(
    _ body: (inout LuaParser) throws(LuaSyntaxError) -> Result
  ) throws(LuaSyntaxError) -> Result {
    level += 1
    defer { level -= 1 }
    guard level <= Self.mostLevels else {
      throw LuaSyntaxError(place: current.place, message: "the text is nested too deep")
    }
    return try body(&self)
  }

  // MARK: Statements

  /// Statements up to a word that ends a block, in a scope of their own.
  private mutating func block() throws(LuaSyntaxError) -> [LuaStatement] {
    let outer = scopes.begin()
    defer { scopes.end(outer) }
    return try statements()
  }

  private mutating func statements() throws(LuaSyntaxError) -> [LuaStatement] {
    var found: [LuaStatement] = []
    while !endsBlock {
      if try take(.keyword("return")) {
        found.append(.return(try endsBlock || current.kind == .symbol(";") ? [] : expressions()))
        _ = try takeSymbol(";")
        guard endsBlock else { throw unexpected() }
        break
      }
      if let one = try deeper({ (parser) throws(LuaSyntaxError) in try parser.statement() }) {
        found.append(one)
      }
    }
    return found
  }

  private var endsBlock: Bool {
    switch current.kind {
    case .end, .keyword("else"), .keyword("elseif"), .keyword("end"), .keyword("until"): true
    default: false
    }
  }

  /// Reads a statement; nil if it is empty.
  private mutating func statement() throws(LuaSyntaxError) -> LuaStatement? {
    switch current.kind {
    case .symbol(";"), .keyword("break"):
      try advance()
      return nil
    case .symbol("::"):
      try advance()
      _ = try name()
      try expect(.symbol("::"))
      return nil
    case .keyword("goto"):
      try advance()
      _ = try name()
      return nil
    case .keyword("do"):
      try advance()
      return .control([], [try blockToEnd()])
    case .keyword("while"):
      try advance()
      let condition = try expression()
      try expect(.keyword("do"))
      return .control([condition], [try blockToEnd()])
    case .keyword("repeat"): return try repetition()
    case .keyword("if"): return try condition()
    case .keyword("for"): return try loop()
    case .keyword("function"): return try functionStatement()
    case .keyword("local"): return try localStatement()
    default: return try expressionStatement()
    }
  }

  private mutating func blockToEnd() throws(LuaSyntaxError) -> [LuaStatement] {
    let statements = try block()
    try expect(.keyword("end"))
    return statements
  }

  /// The condition sees the locals of the block.
  private mutating func repetition() throws(LuaSyntaxError) -> LuaStatement {
    try advance()
    let outer = scopes.begin()
    defer { scopes.end(outer) }
    let body = try statements()
    try expect(.keyword("until"))
    return .control([try expression()], [body])
  }

  private mutating func condition() throws(LuaSyntaxError) -> LuaStatement {
    var conditions: [LuaExpression] = []
    var blocks: [[LuaStatement]] = []
    repeat {
      try advance()
      conditions.append(try expression())
      try expect(.keyword("then"))
      blocks.append(try block())
    } while current.kind == .keyword("elseif")
    if try take(.keyword("else")) { blocks.append(try block()) }
    try expect(.keyword("end"))
    return .control(conditions, blocks)
  }

  private mutating func loop() throws(LuaSyntaxError) -> LuaStatement {
    try advance()
    var variables = [try variable()]
    while try takeSymbol(",") { variables.append(try variable()) }
    if variables.count > 1 || current.kind != .symbol("=") {
      try expect(.keyword("in"))
    } else {
      try advance()
    }
    let values = try expressions()
    try expect(.keyword("do"))
    let outer = scopes.begin()
    defer { scopes.end(outer) }
    for variable in variables { scopes.declare(variable) }
    return .control(values, [try blockToEnd()])
  }

  private mutating func variable() throws(LuaSyntaxError) -> LuaVariable {
    let place = current.place
    return LuaVariable(try name(), place)
  }

  private mutating func functionStatement() throws(LuaSyntaxError) -> LuaStatement {
    let start = current.place
    try advance()
    let place = current.place
    var target = global(or: try name(), place)
    var isMethod = false
    while !isMethod, current.kind == .symbol(".") || current.kind == .symbol(":") {
      isMethod = current.kind == .symbol(":")
      try advance()
      let place = current.place
      target = .index(target, key: .string(Array(try name().utf8), place), place)
    }
    if case .local(let variable, _) = target { variable.isReassigned = true }
    return .function(target, try functionBody(isMethod: isMethod, start))
  }

  private mutating func localStatement() throws(LuaSyntaxError) -> LuaStatement {
    try advance()
    if current.kind == .keyword("function") {
      let start = current.place
      try advance()
      let variable = try variable()
      scopes.declare(variable)
      let function = try functionBody(isMethod: false, start)
      variable.value = .function(function)
      return .local([variable], [.function(function)])
    }
    var variables: [LuaVariable] = []
    repeat {
      variables.append(try variable())
      if try takeSymbol("<") {
        _ = try name()
        try expect(.symbol(">"))
      }
    } while try takeSymbol(",")
    let values = try takeSymbol("=") ? expressions() : []
    for (variable, value) in zip(variables, values) { variable.value = value }
    for variable in variables { scopes.declare(variable) }
    return .local(variables, values)
  }

  private mutating func expressionStatement() throws(LuaSyntaxError) -> LuaStatement {
    let first = try suffixed()
    guard current.kind == .symbol("=") || current.kind == .symbol(",") else {
      switch first {
      case .call, .methodCall: return .call(first)
      default: throw unexpected()
      }
    }
    var targets = [first]
    while try takeSymbol(",") { targets.append(try suffixed()) }
    try expect(.symbol("="))
    let values = try expressions()
    for case .local(let variable, _) in targets { variable.isReassigned = true }
    return .assign(targets, values)
  }

  // MARK: Expressions

  private mutating func expressions() throws(LuaSyntaxError) -> [LuaExpression] {
    var found = [try expression()]
    while try takeSymbol(",") { found.append(try expression()) }
    return found
  }

  /// The strength with which an operator binds the operands on its left and its right.
  private static let priorities: [LuaToken.Kind: (left: Int, right: Int)] = [
    .keyword("or"): (1, 1), .keyword("and"): (2, 2), .symbol("<"): (3, 3), .symbol(">"): (3, 3),
    .symbol("<="): (3, 3), .symbol(">="): (3, 3), .symbol("~="): (3, 3), .symbol("=="): (3, 3),
    .symbol("|"): (4, 4), .symbol("~"): (5, 5), .symbol("&"): (6, 6), .symbol("<<"): (7, 7),
    .symbol(">>"): (7, 7), .symbol(".."): (9, 8), .symbol("+"): (10, 10), .symbol("-"): (10, 10),
    .symbol("*"): (11, 11), .symbol("/"): (11, 11), .symbol("//"): (11, 11),
    .symbol("%"): (11, 11), .symbol("^"): (14, 13),
  ]

  private static let unaryPriority = 12

  private static let comparisons: Set<LuaToken.Kind> = [
    .symbol("=="), .symbol("~="), .symbol("<"), .symbol(">"), .symbol("<="), .symbol(">="),
  ]

  private static let unary: Set<LuaToken.Kind> = [
    .keyword("not"), .symbol("-"), .symbol("~"), .symbol("#"),
  ]

  private mutating func expression(
    above limit: Int = 0
  ) throws(LuaSyntaxError) -> LuaExpression {
    try deeper { (parser) throws(LuaSyntaxError) in try parser.operation(above: limit) }
  }

  private mutating func operation(above limit: Int) throws(LuaSyntaxError) -> LuaExpression {
    let start = current.place
    var left: LuaExpression
    if Self.unary.contains(current.kind) {
      let isBoolean = current.kind == .keyword("not")
      try advance()
      left = .operation(
        [try expression(above: Self.unaryPriority)], isBoolean: isBoolean, start)
    } else {
      left = try simple()
    }
    while let priority = Self.priorities[current.kind], priority.left > limit {
      let isBoolean = Self.comparisons.contains(current.kind)
      try advance()
      left = .operation(
        [left, try expression(above: priority.right)], isBoolean: isBoolean, start)
    }
    return left
  }

  private mutating func simple() throws(LuaSyntaxError) -> LuaExpression {
    let place = current.place
    switch current.kind {
    case .keyword("nil"): return try constant(.nothing, place)
    case .keyword("true"), .keyword("false"): return try constant(.boolean, place)
    case .integer: return try constant(.integer, place)
    case .float: return try constant(.float, place)
    case .string(let bytes):
      try advance()
      return .string(bytes, place)
    case .symbol("..."):
      try advance()
      return .rest(place)
    case .symbol("{"): return try table()
    case .keyword("function"):
      try advance()
      return .function(try functionBody(isMethod: false, place))
    default: return try suffixed()
    }
  }

  private mutating func constant(
    _ constant: LuaConstant, _ place: TextPlace
  ) throws(LuaSyntaxError) -> LuaExpression {
    try advance()
    return .constant(constant, place)
  }

  /// A name or something in parentheses, with all that follows it.
  private mutating func suffixed() throws(LuaSyntaxError) -> LuaExpression {
    let place = current.place
    var base: LuaExpression
    if try takeSymbol("(") {
      base = .parenthesized(try expression(), place)
      try expect(.symbol(")"))
    } else {
      base = global(or: try name(), place)
    }
    while true {
      let place = current.place
      switch current.kind {
      case .symbol("."):
        try advance()
        let place = current.place
        base = .index(base, key: .string(Array(try name().utf8), place), place)
      case .symbol("["):
        try advance()
        let key = try expression()
        try expect(.symbol("]"))
        base = .index(base, key: key, key.place)
      case .symbol(":"):
        try advance()
        let place = current.place
        let name = try name()
        base = .methodCall(base, name: name, try arguments(), place)
      case .symbol("("), .symbol("{"), .string: base = .call(base, try arguments(), place)
      default: return base
      }
    }
  }

  private mutating func arguments() throws(LuaSyntaxError) -> [LuaExpression] {
    let place = current.place
    switch current.kind {
    case .string(let bytes):
      try advance()
      return [.string(bytes, place)]
    case .symbol("{"): return [try table()]
    default:
      try expect(.symbol("("))
      if try takeSymbol(")") { return [] }
      let found = try expressions()
      try expect(.symbol(")"))
      return found
    }
  }

  private mutating func table() throws(LuaSyntaxError) -> LuaExpression {
    let place = current.place
    try expect(.symbol("{"))
    var fields: [LuaField] = []
    while current.kind != .symbol("}") {
      fields.append(try field())
      if try takeSymbol(",") { continue }
      if try takeSymbol(";") { continue }
      guard current.kind == .symbol("}") else { throw unexpected() }
    }
    try advance()
    return .table(fields, place)
  }

  private mutating func field() throws(LuaSyntaxError) -> LuaField {
    if try takeSymbol("[") {
      let key = try expression()
      try expect(.symbol("]"))
      try expect(.symbol("="))
      return LuaField(key: key, value: try expression())
    }
    // `name = value`, and not an expression that begins with a name: that takes two tokens.
    if case .name(let name) = current.kind {
      var ahead = tokenizer
      if let next = try? ahead.next(), next.kind == .symbol("=") {
        let key = LuaExpression.string(Array(name.utf8), current.place)
        try advance()
        try advance()
        return LuaField(key: key, value: try expression())
      }
    }
    return LuaField(key: nil, value: try expression())
  }

  private mutating func functionBody(
    isMethod: Bool, _ start: TextPlace
  ) throws(LuaSyntaxError) -> LuaFunction {
    try expect(.symbol("("))
    var parameters: [LuaVariable] = []
    var isVariadic = false
    while current.kind != .symbol(")") {
      if try takeSymbol("...") {
        isVariadic = true
        break
      }
      parameters.append(try variable())
      guard try takeSymbol(",") else { break }
    }
    try expect(.symbol(")"))
    let function = LuaFunction(
      parameters, isVariadic: isVariadic,
      implicitSelf: isMethod ? LuaVariable("self", start) : nil, start)
    let outer = scopes.begin()
    defer { scopes.end(outer) }
    for variable in function.allParameters { scopes.declare(variable) }
    function.body = try blockToEnd()
    return function
  }

  private func global(or name: String, _ place: TextPlace) -> LuaExpression {
    if let variable = scopes.variable(name) { return .local(variable, place) }
    // A local `_ENV` has the globals from here on.
    if let environment = scopes.variable("_ENV") {
      return .index(
        .local(environment, place), key: .string(Array(name.utf8), place), place)
    }
    return .global(name, place)
  }
}

/// The local variables that can be seen, innermost last.
private struct LuaScopes {
  private var visible: [LuaVariable] = []
  private var byName: [String: [LuaVariable]] = [:]

  /// - Returns: A value with which to end the scope.
  func begin() -> Int { visible.count }

  mutating func end(_ count: Int) {
    while visible.count > count {
      byName[visible.removeLast().name]?.removeLast()
    }
  }

  mutating func declare(_ variable: LuaVariable) {
    visible.append(variable)
    byName[variable.name, default: []].append(variable)
  }

  func variable(_ name: String) -> LuaVariable? { byName[name]?.last }
}

extension LuaSyntaxError {
  fileprivate init(_ error: PatchError) {
    self.init(place: TextPlace(line: error.line ?? 1, column: 1), message: error.message)
  }
}
