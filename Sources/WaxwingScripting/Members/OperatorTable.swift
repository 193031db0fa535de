// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// Lua's operators for proxies: they call the operator functions of the operands' types.
///
/// The functions are looked up by the dynamic types of both operands, and chosen among as those of
/// any name. `==`, `<` and `<=` also work where a type only conforms to `Equatable` or `Comparable`.
final class OperatorTable {
  private unowned let runtime: ScriptRuntime
  private var sets: [Key: OverloadSet?] = [:]
  private var vectors: [ObjectIdentifier: VectorOperators?] = [:]

  private struct Key: Hashable {
    /// The address of the event's name, a literal.
    let event: UInt
    let left: ObjectIdentifier?
    let right: ObjectIdentifier?
  }

  init(_ runtime: ScriptRuntime) {
    self.runtime = runtime
  }

  /// The events for `wax_proxy_metatable`. Their names are literals, so they outlive the table.
  private(set) lazy var events: [wax_proxy_event] = LuaOperator.all.map { own in
    let callback = runtime.state.register { [unowned self] (call) throws(LuaRaise) in
      try self.run(own, &call)
    }
    return wax_proxy_event(
      name: UnsafeRawPointer(own.event.utf8Start).assumingMemoryBound(to: CChar.self),
      operands: own.isUnary ? 1 : 2, callback: callback)
  }

  /// `==` of two values.
  private(set) lazy var equals: UnsafeMutablePointer<wax_lua_callback> =
    runtime.state.register { [unowned self] (call) throws(LuaRaise) in
      try self.run(.equals, &call)
    }

  // MARK: One call

  private func run(_ own: LuaOperator, _ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let left = Operand(reader.peeked)
    reader.skip()
    let right = own.isUnary ? Operand(wax_lua_value()) : Operand(reader.peeked)
    if left.isNil || !own.isUnary && right.isNil { try checkNil(own, left, right, call) }
    if let comparison = own.comparison { return try compare(comparison, left, right, own, &call) }
    let set = set(own, left, right)
    if let vectors = vectors(of: left.type) ?? vectors(of: right.type) {
      let count = own.isUnary ? 1 : 2
      if try set?.takes(call.arguments, count, receiver: .empty) != true {
        return try vectors.run(own.text, isUnary: own.isUnary, &call)
      }
    }
    guard let set else { throw noOperator(own, left, right, call) }
    try set.run(&call)
  }

  /// The operators of SIMD values, which are no functions; nil for other types.
  private func vectors(of type: (any Any.Type)?) -> VectorOperators? {
    guard let type else { return nil }
    if let known = vectors[ObjectIdentifier(type)] { return known }
    let made = VectorOperators(type)
    vectors[ObjectIdentifier(type)] = .some(made)
    return made
  }

  /// Raises Lua's error for nil, unless an operator of the other operand's type takes it.
  private func checkNil(
    _ own: LuaOperator, _ left: Operand, _ right: Operand, _ call: LuaCall
  ) throws(LuaRaise) {
    if own.comparison == .equal { return }
    if let set = set(own, left, right),
      try set.takes(call.arguments, own.isUnary ? 1 : 2, receiver: .empty)
    {
      return
    }
    let name = Self.name(of: left.isNil ? WAX_LUA_OPERAND_LEFT : WAX_LUA_OPERAND_RIGHT, call)
    throw .message("attempt to \(own.verb) a nil value\(name)")
  }

  /// ` (local 'x')`, or nothing if nothing tells the operand's name.
  private static func name(of operand: wax_lua_operand, _ call: LuaCall) -> String {
    call.name(of: operand).map { " (\($0))" } ?? ""
  }

  /// Compares values of one type by their conformance, and others by the functions for their types.
  /// Values for which there is neither are not equal.
  private func compare(
    _ comparison: Comparison, _ left: Operand, _ right: Operand, _ own: LuaOperator,
    _ call: inout LuaCall
  ) throws(LuaRaise) {
    let areAlike = left.type == right.type
    if let type = left.type, areAlike, comparison.isDefined(for: type) {
      return try comparison.run(type, &call, runtime.state)
    }
    let set = set(own, left, right)
    if let set, try set.takes(call.arguments, 2, receiver: .empty) { return try set.run(&call) }
    if comparison == .equal, !areAlike { return call.writer.boolean(false) }
    guard let type = left.type ?? right.type, comparison.isDefined(for: type) else {
      if let set { return try set.run(&call) }
      throw noOperator(own, left, right, call)
    }
    try comparison.run(type, &call, runtime.state)
  }

  private func set(_ own: LuaOperator, _ left: Operand, _ right: Operand) -> OverloadSet? {
    let key = Key(
      event: UInt(bitPattern: own.event.utf8Start), left: left.type.map { ObjectIdentifier($0) },
      right: right.type.map { ObjectIdentifier($0) })
    if let known = sets[key] { return known }
    let functions = functions(own, left, right)
    let made: OverloadSet? =
      functions.isEmpty
      ? nil : OverloadSet(functions, named: own.text, hasReceiver: false, in: runtime)
    sets[key] = .some(made)
    return made
  }

  // MARK: Functions

  private func functions(
    _ own: LuaOperator, _ left: Operand, _ right: Operand
  ) -> [RunningFunction] {
    let all = [left, right].compactMap(\.type).flatMap(operators)
    var seen: Set<RunningFunction> = []
    return all.filter {
      $0.declaration.name.text == own.text
        && $0.declaration.name.fixity == (own.isUnary ? .prefix : .infix)
        && seen.insert($0).inserted
    }
  }

  /// The operator functions of a type and its superclasses, then the free ones of its module.
  private func operators(of type: any Any.Type) -> [RunningFunction] {
    let ancestry = TypeMetadata.ancestry(of: type, in: runtime.resolver.program)
    let members = ancestry.flatMap { runtime.resolver.program.members(of: $0) }
    let modules = Set(ancestry.compactMap(\.nominal.module)).sorted()
    let free = modules.flatMap { runtime.resolver.program.patchPoints(inModule: $0).operators }
    return members.filter { $0.declaration.kind == .operatorFunction } + free
  }

  /// The operators that may take a value of the type. Free operators may be for other types.
  private func ownOperators(of type: any Any.Type) -> [RunningFunction] {
    let ancestry = Set(
      TypeMetadata.ancestry(of: type, in: runtime.resolver.program).map(\.nominal.unbound))
    return operators(of: type).filter { function in
      let declaration = function.declaration
      return declaration.context.memberOf != nil
        || declaration.parameters.contains { parameter in
          parameter.type.nominal.map { ancestry.contains($0.unbound) } ?? true
        }
    }
  }

  private func noOperator(
    _ own: LuaOperator, _ left: Operand, _ right: Operand, _ call: LuaCall
  ) -> LuaRaise {
    let kind = own.isUnary ? "prefix operator" : "operator"
    if let opaque = [left, right].compactMap(\.opaque).first {
      return .message(opaque.lacks("\(kind) `\(own.text)`"))
    }
    let name = Self.name(
      of: left.type == nil ? WAX_LUA_OPERAND_RIGHT : WAX_LUA_OPERAND_LEFT, call)
    let types = [left, right].compactMap(\.type)
    let names = types.map { TypeName.short($0) }
    let known = Set(types.flatMap(ownOperators).map(\.declaration.name.text)).sorted()
    let has =
      known.isEmpty ? "" : "; it has " + known.map { "`\($0)`" }.joined(separator: ", ")
    return .message("\(names.first ?? "?")\(name) has no \(kind) `\(own.text)`\(has)")
  }
}

/// An operand of an operator.
private struct Operand {
  /// The type of the operand; nil if it is a Lua value that is no proxy.
  let type: (any Any.Type)?
  /// The value if it is opaque.
  private(set) var opaque: OpaqueValue?
  let isNil: Bool

  init(_ value: wax_lua_value) {
    isNil = value.tag == WAX_LUA_VALUE_NIL.rawValue
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_OBJECT: type = ObjectReference.dynamicType(value.pointer)
    case WAX_LUA_VALUE_PROXY:
      let box = ValueBox.contents(of: value)
      type = box.map { TypeMetadata.type(at: $0.type) }
      if type == OpaqueValue.self {
        opaque = box?.memory.assumingMemoryBound(to: OpaqueValue.self).pointee
      }
    default: type = nil
    }
  }
}
