// SPDX-License-Identifier: MIT

internal import WaxwingLua
internal import WaxwingReflection

/// The subscripts of a type: `value[index]`, and `value[{row, column}]` where there are several
/// indices, labelled ones by name.
final class SubscriptAccess {
  private let typeName: String
  private let getters: OverloadSet?
  private let setters: [RunningFunction]
  private unowned let runtime: ScriptRuntime
  /// The setters by their getters.
  private var calls: [RunningFunction: FunctionCall] = [:]

  /// - Parameter members: Those of the type and its superclasses, the nearest first.
  init(_ members: [RunningFunction], of typeName: String, in runtime: ScriptRuntime) {
    self.typeName = typeName
    self.runtime = runtime
    let functions = members.filter { $0.declaration.kind == .subscriptGetter }
    getters =
      functions.isEmpty ? nil : OverloadSet(functions, named: "subscript", in: runtime)
    setters = members.filter { $0.declaration.kind == .subscriptSetter }
  }

  /// Whether an index like that of a call, (self, index, …), is one of the type's.
  func takeIndex(of call: LuaCall) throws(LuaRaise) -> Bool {
    guard let getters else { return false }
    var index = call.arguments
    index.skip()
    var end = index
    end.skip()
    return try getters.takes(index.ending(at: end), 1)
  }

  /// (self, index)
  func get(_ call: inout LuaCall) throws(LuaRaise) {
    guard let getters else { throw none(call) }
    try getters.run(&call)
  }

  /// (self, index, value): the setter of the subscript that reading with this index would call.
  func set(_ call: inout LuaCall) throws(LuaRaise) {
    guard let getters else { throw none(call) }
    var index = call.arguments
    index.skip()
    var value = index
    value.skip()
    index = index.ending(at: value)
    let choice = try getters.choose(index, 1)
    let setter = try setter(for: choice.candidate.plan.function)
    let missing = setter.plan.arguments.count - 2
    let indices =
      choice.bound?.readers ?? [index] + [LuaReader](repeating: .empty, count: missing)
    try setter.run(&call, BoundArguments([value] + indices))
  }

  private func setter(for getter: RunningFunction) throws(LuaRaise) -> FunctionCall {
    if let known = calls[getter] { return known }
    let declaration = getter.declaration
    let setter = setters.first {
      $0.declaration.selector == declaration.selector
        && $0.declaration.interfaceType == declaration.interfaceType
        && $0.declaration.context == declaration.context
    }
    guard let setter else {
      throw .message("\(declaration.qualifiedName) cannot be set: it has a getter only")
    }
    do throws(PlanError) {
      let call = FunctionCall(try runtime.plan(setter), .current, in: runtime.state)
      calls[getter] = call
      return call
    } catch {
      throw .message(error.description)
    }
  }

  private func none(_ call: LuaCall) -> LuaRaise {
    var reader = call.arguments
    reader.skip()
    return .message(
      "\(typeName) is indexed with \(ValueDescription.of(reader.peeked, reader)); it has no "
        + "subscript, and members have names")
  }
}
