// SPDX-License-Identifier: MIT

internal import WaxwingBridge

/// Goes through a file of a patch in the order of its text.
struct OutlineReader {
  private(set) var outline = PatchOutline()
  /// The expressions that are assigned to globals which are assigned once.
  private var values: [String: LuaExpression] = [:]
  /// The overrides, by the parameter that is their `self`.
  private var selves: [ObjectIdentifier: Int] = [:]
  /// The other parameters of overrides.
  private var parameters: [ObjectIdentifier: PatchOutline.Value] = [:]
  /// The override that the text is in.
  private var current: Int?
  private var isOptional = false
  /// Where functions in globals belong to, from a `waxClass` on.
  private var waxTarget: PatchOutline.Target?

  init(_ chunk: LuaChunk) {
    var counts: [String: Int] = [:]
    collect(chunk.statements, &counts)
    values = values.filter { counts[$0.key] == 1 }
    outline.assigned = Set(counts.keys)
  }

  /// Collects the expressions that are assigned to globals, and counts the assignments.
  private mutating func collect(_ statements: [LuaStatement], _ counts: inout [String: Int]) {
    LuaStatements.statements(statements) { statement in
      switch statement {
      case .function(.global(let name, _), let function):
        counts[name, default: 0] += 1
        values[name] = .function(function)
      case .assign(let targets, let found):
        for (index, target) in targets.enumerated() {
          guard case .global(let name, _) = target else { continue }
          counts[name, default: 0] += 1
          values[name] = index < found.count ? found[index] : nil
        }
      default: break
      }
    }
  }

  // MARK: Statements

  mutating func read(_ statements: [LuaStatement]) {
    for statement in statements { read(statement) }
  }

  private mutating func read(_ statement: LuaStatement) {
    switch statement {
    case .local(_, let values): read(values)
    case .return(let values): read(values)
    case .call(let call): read(call)
    case .control(let conditions, let blocks):
      read(conditions)
      for block in blocks { read(block) }
    case .function(let target, let function): define(target, .function(function))
    case .assign(let targets, let values):
      for (index, target) in targets.enumerated() {
        define(target, index < values.count ? values[index] : nil)
      }
      if values.count > targets.count { read(Array(values[targets.count...])) }
    }
  }

  /// - Parameter value: nil: one of many that a call returns.
  private mutating func define(_ target: LuaExpression, _ value: LuaExpression?) {
    let function = value.flatMap(function)
    switch target {
    case .index(let base, let key, let place):
      read(base)
      guard let name = key.text else {
        read(key)
        break
      }
      if case .global("string", _) = base { outline.stringFunctions.insert(name) }
      noteCaptured(base, key, place, isAssigned: true)
      guard let owner = self.target(base), name != "deinit",
        // Something else than a function sets a property.
        function != nil || owner.accessor != nil
      else {
        noteMember(base, name, place, assigned: value)
        break
      }
      add(.override, owner, name, place, function, body: value)
      return
    case .global(let name, let place):
      guard let waxTarget, function != nil else { break }
      add(.override, waxTarget, name, place, function, body: value)
      return
    default: break
    }
    if let value { read(value) }
  }

  /// The function that a value is, where that stands there.
  private func function(_ value: LuaExpression) -> LuaFunction? {
    switch value {
    case .function(let function): function
    case .parenthesized(let inner, _): function(inner)
    case .local(let variable, _) where !variable.isReassigned:
      if case .function(let function)? = variable.value { function } else { nil }
    case .global(let name, _):
      if case .function(let function)? = values[name] { function } else { nil }
    default: nil
    }
  }

  private mutating func add(
    _ kind: PatchOutline.Override.Kind, _ target: PatchOutline.Target, _ name: String,
    _ place: TextPlace, _ function: LuaFunction?, body: LuaExpression?
  ) {
    let index = outline.overrides.count
    outline.overrides.append(
      PatchOutline.Override(
        target: target, kind: kind, name: name, place: place, function: function,
        isOptional: isOptional))
    guard let body else { return }
    guard case .function(let function) = body else { return read(body) }
    var passed = function.allParameters[...]
    if takesSelf(target, name), let first = passed.popFirst() {
      selves[ObjectIdentifier(first)] = index
    }
    if [.override, .before].contains(kind) {
      for (position, variable) in passed.enumerated() {
        parameters[ObjectIdentifier(variable)] = .argument(position, override: index)
      }
    }
    let outer = current
    current = index
    read(function.body)
    current = outer
  }

  // MARK: Expressions

  private mutating func read(_ expressions: [LuaExpression]) {
    for expression in expressions { read(expression) }
  }

  private mutating func read(_ expression: LuaExpression) {
    switch expression {
    case .constant, .string, .rest, .local: break
    case .global(let name, let place):
      if ["_G", "_ENV"].contains(name) { outline.makesGlobals = true }
      if name != "_ENV" { outline.reads.append(.init(name: name, place: place)) }
    case .index(let base, let key, let place):
      noteCaptured(base, key, place)
      noteOriginal(base, key.text, place, arguments: nil)
      noteMember(base, key.text, place)
      read([base, key])
    case .call(let callee, let arguments, let place): readCall(callee, arguments, place)
    case .methodCall(let base, let name, let arguments, let place):
      if readAdvice(base, name, arguments) { break }
      if name == "method", target(base) != nil { outline.addsMethods = true }
      noteOriginal(base, name, place, arguments: arguments)
      noteMember(base, name, place, arguments)
      read(base)
      read(arguments)
    case .function(let function): read(function.body)
    case .table(let fields, _):
      for field in fields { read((field.key.map { [$0] } ?? []) + [field.value]) }
    case .operation(let operands, _, _): read(operands)
    case .parenthesized(let inner, _): read(inner)
    }
  }

  private mutating func readCall(
    _ callee: LuaExpression, _ arguments: [LuaExpression], _ place: TextPlace
  ) {
    let outer = isOptional
    defer { isOptional = outer }
    if let name = preludeName(callee) {
      noteOwner(name, arguments)
      if ["pcall", "xpcall", "when_loaded"].contains(name) { isOptional = true }
      if name == "original", let current {
        let target = outline.overrides[current].target
        let own = takesSelf(target, outline.overrides[current].name) ? 1 : 0
        outline.originals.append(
          .init(
            target: target, name: nil, place: callee.place,
            argumentCount: Self.count(arguments).map { $0 - own },
            arguments: Array(arguments.dropFirst(own)), override: current, isOptional: isOptional))
      }
    }
    if case .index(let base, let key, let place) = callee {
      noteCaptured(base, key, place)
      if key.text == "globals" { outline.makesGlobals = true }
      noteOriginal(base, key.text, place, arguments: arguments, isFunction: true)
      noteMember(base, key.text, place)
      noteOwnerCall(base, key.text, place)
      read([base, key])
    } else {
      read(callee)
    }
    let originals = outline.originals.count
    read(arguments)
    if ["pcall", "xpcall"].contains(preludeName(callee)), current != nil,
      case .function? = arguments.first, outline.originals.count > originals
    {
      outline.protectedOriginals.append(callee.place)
    }
    if preludeName(callee) == "waxClass" { beginWaxClass(arguments.first) }
  }

  /// The name of a global that is the prelude's.
  private func preludeName(_ callee: LuaExpression) -> String? {
    guard case .global(let name, _) = callee, !outline.assigned.contains(name) else { return nil }
    return name
  }

  private mutating func noteOwner(_ name: String, _ arguments: [LuaExpression]) {
    guard let first = arguments.first else { return }
    let owner: PatchOutline.Owner
    switch name {
    case "class" where arguments.count == 1, "patching" where arguments.count == 1:
      guard let text = first.text else { return }
      owner = .type(text)
    case "module":
      guard let text = first.text else { return }
      owner = .module(text)
    case "waxClass":
      guard let found = Self.waxOwner(first) else { return }
      owner = found
    default: return
    }
    outline.owners.append(.init(owner: owner, place: first.place, isOptional: isOptional))
  }

  /// The type of `waxClass{"Bank.Account"}`; nil: it makes a class of its own.
  private static func waxOwner(_ argument: LuaExpression) -> PatchOutline.Owner? {
    guard case .table(let fields, _) = argument, fields.count == 1, fields[0].key == nil,
      let name = fields[0].value.text
    else { return nil }
    return .type(name)
  }

  private mutating func beginWaxClass(_ argument: LuaExpression?) {
    waxTarget = argument.flatMap(Self.waxOwner).map { PatchOutline.Target(owner: $0) }
  }

  // MARK: Advice and originals

  /// Reads advice such as `Account:after("withdraw(_:memo:)", function …)`.
  private mutating func readAdvice(
    _ base: LuaExpression, _ name: String, _ arguments: [LuaExpression]
  ) -> Bool {
    guard let kind = PatchOutline.Override.Kind(rawValue: name), kind != .override,
      arguments.count >= 2, let target = target(base), let selector = arguments[0].text
    else { return false }
    read(base)
    add(
      kind, target, selector, arguments[0].place, function(arguments[1]), body: arguments[1])
    read(Array(arguments.dropFirst(2)))
    return true
  }

  /// - Parameter isFunction: Whether `self` is passed as an argument, where there is one.
  private mutating func noteOriginal(
    _ base: LuaExpression, _ name: String?, _ place: TextPlace, arguments: [LuaExpression]?,
    isFunction: Bool = false
  ) {
    guard let name, name.hasPrefix("ORIG"), name.utf8.count > 4 else { return }
    var override = current
    let target: PatchOutline.Target
    if let index = indexOfOverride(ofSelf: base) {
      target = outline.overrides[index].target
      override = index
    } else if let found = self.target(base) {
      target = found
    } else {
      return
    }
    let passesSelf = isFunction && takesSelf(target)
    let count = arguments.flatMap(Self.count).map { $0 - (passesSelf ? 1 : 0) }
    let passed = Array((arguments ?? []).dropFirst(passesSelf ? 1 : 0))
    outline.originals.append(
      .init(
        target: target, name: String(name.dropFirst(4)), place: place, argumentCount: count,
        arguments: passed, override: override, isOptional: isOptional))
  }

  private mutating func noteMember(
    _ base: LuaExpression, _ name: String?, _ place: TextPlace, _ arguments: [LuaExpression]? = nil,
    assigned: LuaExpression? = nil
  ) {
    guard let name, !name.hasPrefix("ORIG"), let value = value(base) else { return }
    outline.members.append(
      .init(
        value: value, name: name, place: place, arguments: arguments, assigned: assigned,
        isOptional: isOptional))
  }

  private mutating func noteCaptured(
    _ base: LuaExpression, _ key: LuaExpression, _ place: TextPlace, isAssigned: Bool = false
  ) {
    guard preludeName(base) == "captured", let name = key.text else { return }
    outline.captured.append(
      .init(
        name: name, place: place, override: current, isAssigned: isAssigned,
        isOptional: isOptional))
  }

  private mutating func noteOwnerCall(_ base: LuaExpression, _ name: String?, _ place: TextPlace) {
    guard let name, !name.hasPrefix("ORIG"), let target = target(base), target.accessor == nil,
      !target.isStatic, !target.isPatching
    else { return }
    outline.ownerCalls.append(
      .init(target: target, name: name, place: place, isOptional: isOptional))
  }

  /// The value of the program's that an expression is; nil: that cannot be told.
  private func value(_ expression: LuaExpression, depth: Int = 0) -> PatchOutline.Value? {
    guard depth < 32 else { return nil }
    switch expression {
    case .local(let variable, _) where !variable.isReassigned:
      let identity = ObjectIdentifier(variable)
      if let index = selves[identity] { return .receiver(override: index) }
      if let parameter = parameters[identity] { return parameter }
      return variable.value.flatMap { value($0, depth: depth + 1) }
    case .parenthesized(let inner, _): return value(inner, depth: depth + 1)
    case .index(let base, let key, _):
      guard let name = key.text, !name.hasPrefix("ORIG") else { return nil }
      return value(base, depth: depth + 1).map { .property($0, name) }
    case .methodCall(let base, let name, _, _):
      let method = name.hasPrefix("ORIG") ? String(name.dropFirst(4)) : name
      return value(base, depth: depth + 1).map { .result($0, method) }
    case .call(let callee, _, _):
      guard preludeName(callee) == "original", let current else { return nil }
      return .original(override: current)
    default: return nil
    }
  }

  /// The override whose `self` a value is, also by another name.
  private func indexOfOverride(ofSelf value: LuaExpression) -> Int? {
    var value = value
    for _ in 0..<32 {
      guard case .local(let variable, _) = value, !variable.isReassigned else { return nil }
      if let index = selves[ObjectIdentifier(variable)] { return index }
      guard let next = variable.value else { return nil }
      value = next
    }
    return nil
  }

  /// - Parameter name: The function's name: a closure takes no `self`.
  private func takesSelf(_ target: PatchOutline.Target, _ name: String = "") -> Bool {
    if case .module = target.owner { return false }
    return !ClosureNames.isClosure(name)
  }

  private static func count(_ arguments: [LuaExpression]) -> Int? {
    arguments.last?.hasManyValues == true ? nil : arguments.count
  }

  // MARK: Type objects

  /// The type object that an expression is; nil: that cannot be told.
  private func target(_ expression: LuaExpression, depth: Int = 0) -> PatchOutline.Target? {
    guard depth < 32 else { return nil }
    switch expression {
    case .local(let variable, _) where !variable.isReassigned:
      return variable.value.flatMap { target($0, depth: depth + 1) }
    case .parenthesized(let inner, _): return target(inner, depth: depth + 1)
    case .global(let name, _):
      if let value = values[name] { return target(value, depth: depth + 1) }
      guard !outline.assigned.contains(name), name.first?.isUppercase == true else { return nil }
      return PatchOutline.Target(owner: .global(name))
    case .call(let callee, let arguments, _):
      guard let name = preludeName(callee), let first = arguments.first else { return nil }
      switch name {
      case "class" where arguments.count == 1:
        return first.text.map { PatchOutline.Target(owner: .type($0)) }
      case "patching" where arguments.count == 1:
        let found =
          first.text.map { PatchOutline.Target(owner: .type($0)) }
          ?? target(first, depth: depth + 1)
        guard var found, found.accessor == nil else { return nil }
        found.isPatching = true
        return found
      case "module": return first.text.map { PatchOutline.Target(owner: .module($0)) }
      case "waxClass": return Self.waxOwner(first).map { PatchOutline.Target(owner: $0) }
      default: return nil
      }
    case .index(let base, let key, _):
      guard var found = target(base, depth: depth + 1), let name = key.text else { return nil }
      return member(name, of: &found)
    default: return nil
    }
  }

  private func member(
    _ name: String, of target: inout PatchOutline.Target
  ) -> PatchOutline.Target? {
    guard target.accessor == nil else { return nil }
    if !target.isPatching { target.open.insert(name) }
    if let accessor = PatchOutline.Accessor(rawValue: name) {
      target.accessor = accessor
      return target
    }
    if name == "static", !target.isStatic {
      target.isStatic = true
      target.isPatching = false
      return target
    }
    guard !target.isStatic, name.first?.isUppercase == true else { return nil }
    return PatchOutline.Target(owner: .member("\(target.owner.name).\(name)"))
  }
}

/// All statements of a text, also those in functions.
private enum LuaStatements {
  static func statements(_ list: [LuaStatement], _ body: (LuaStatement) -> Void) {
    for statement in list {
      body(statement)
      switch statement {
      case .local(_, let values), .return(let values): expressions(values, body)
      case .assign(let targets, let values): expressions(targets + values, body)
      case .call(let call): expressions([call], body)
      case .function(let target, let function):
        expressions([target], body)
        statements(function.body, body)
      case .control(let conditions, let blocks):
        expressions(conditions, body)
        for block in blocks { statements(block, body) }
      }
    }
  }

  private static func expressions(_ list: [LuaExpression], _ body: (LuaStatement) -> Void) {
    for expression in list {
      switch expression {
      case .constant, .string, .rest, .local, .global: break
      case .index(let base, let key, _): expressions([base, key], body)
      case .call(let callee, let arguments, _): expressions([callee] + arguments, body)
      case .methodCall(let base, _, let arguments, _): expressions([base] + arguments, body)
      case .function(let function): statements(function.body, body)
      case .table(let fields, _):
        for field in fields { expressions((field.key.map { [$0] } ?? []) + [field.value], body) }
      case .operation(let operands, _, _): expressions(operands, body)
      case .parenthesized(let inner, _): expressions([inner], body)
      }
    }
  }
}
