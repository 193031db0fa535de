// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
package import WaxwingLua
package import WaxwingReflection
internal import WaxwingValues

/// The subscripts of a type: `value[index]`, and `value[{row, column}]` where there are several
/// indices, labelled ones by name.
package final class SubscriptAccess {
  private let typeName: String
  private let getters: OverloadSet?
  private let setters: [RunningFunction]
  private let viewed: (any Any.Type)?
  private unowned let patch: PatchContext
  private struct SetterKey: Hashable {
    let getter: RunningFunction
    /// The point after which a call on `super` continues.
    let passed: ObjectIdentifier?
  }
  private var calls: [SetterKey: FunctionCall] = [:]
  private var settersByGetter: [RunningFunction: RunningFunction] = [:]

  /// - Parameters:
  ///   - members: Those of the type and its superclasses, the nearest first.
  ///   - viewed: The superclass that objects are seen as; nil: they are seen as what they are.
  package init(
    _ members: [RunningFunction], of typeName: String, viewedAs viewed: (any Any.Type)?,
    in patch: PatchContext
  ) {
    self.typeName = typeName
    self.viewed = viewed
    self.patch = patch
    let functions = members.filter { $0.declaration.kind == .subscriptGetter }
    getters =
      functions.isEmpty ? nil : OverloadSet(functions, named: "subscript", in: patch)
    getters?.viewed = viewed
    setters = members.filter { $0.declaration.kind == .subscriptSetter }
  }

  /// Whether an index like that of a call, (self, index, …), is one of the type's.
  package func takeIndex(of call: LuaCall) throws(LuaRaise) -> Bool {
    guard let getters else { return false }
    var index = call.arguments
    index.skip()
    var end = index
    end.skip()
    return try getters.takes(index.ending(at: end), 1, receiver: call.arguments)
  }

  /// Gets an element; Lua calls this as (self, index).
  package func get(_ call: inout LuaCall) throws(LuaRaise) {
    guard let getters else { throw none(call) }
    try getters.run(&call)
  }

  /// (self, index, value): the setter of the subscript that reading with this index would call.
  package func set(_ call: inout LuaCall) throws(LuaRaise) {
    guard let getters else { throw none(call) }
    var index = call.arguments
    index.skip()
    var value = index
    value.skip()
    index = index.ending(at: value)
    let choice = try getters.choose(index, 1, receiver: call.arguments)
    let setter = try setter(for: choice.candidate.plan.function, call.arguments)
    let missing = setter.plan.arguments.count - 2
    let indices =
      choice.bound?.readers ?? [index] + [LuaReader](repeating: .empty, count: missing)
    try setter.run(&call, BoundArguments([value] + indices))
  }

  private func setter(
    for getter: RunningFunction, _ receiver: LuaReader
  ) throws(LuaRaise) -> FunctionCall {
    let setter = try setter(of: getter)
    let passed = viewed.flatMap { viewed in
      ReceiverType.of(receiver.peeked).flatMap {
        patch.overrides.classPoint(setter, viewed, $0)
      }
    }
    let key = SetterKey(getter: getter, passed: passed.map(ObjectIdentifier.init))
    if let known = calls[key] { return known }
    do throws(PlanError) {
      let call = FunctionCall(
        try patch.plans.plan(setter, on: receiver), passed.map { .original($0) } ?? .current,
        in: patch.state)
      calls[key] = call
      return call
    } catch {
      throw .message(error.description)
    }
  }

  private func setter(of getter: RunningFunction) throws(LuaRaise) -> RunningFunction {
    if let known = settersByGetter[getter] { return known }
    let declaration = getter.declaration
    let setter = setters.first {
      $0.declaration.selector == declaration.selector
        && $0.declaration.interfaceType == declaration.interfaceType
        && $0.declaration.context == declaration.context
    }
    guard let setter else {
      throw .message("\(declaration.qualifiedName) cannot be set: it has a getter only")
    }
    settersByGetter[getter] = setter
    return setter
  }

  private func none(_ call: LuaCall) -> LuaRaise {
    var reader = call.arguments
    reader.skip()
    return .message(
      "\(typeName) is indexed with \(ValueDescription.of(reader.peeked, reader)); it has no "
        + "subscript, and members have names")
  }
}
