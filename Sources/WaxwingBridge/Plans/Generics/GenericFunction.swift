// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Synchronization
internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingLua
package import WaxwingReflection
internal import WaxwingValues

/// A generic function: its plans, one for each list of types that its parameters stand for.
///
/// Generic are functions with parameters of their own, the members of generic types, and those of
/// protocols' extensions, which have `Self`.
/// Unchecked: fixed, but for the plans, which are under a lock.
package final class GenericFunction: @unchecked Sendable {
  let function: RunningFunction
  let generics: FunctionGenerics
  let program: RunningProgram
  private let stated: SelfKind?
  private let plans = Mutex<[[ObjectIdentifier]: Result<CallPlan, PlanError>]>([:])

  /// Creates the function; nil if the function is not generic.
  package init?(
    _ function: RunningFunction, in program: RunningProgram, stated: SelfKind? = nil
  ) throws(PlanError) {
    try SignatureTypes.check(function, in: program)
    guard let generics = try FunctionGenerics(function, in: program) else { return nil }
    self.function = function
    self.generics = generics
    self.program = program
    self.stated = stated
  }

  private init(_ other: GenericFunction, stated: SelfKind) {
    function = other.function
    generics = other.generics
    program = other.program
    self.stated = stated
  }

  /// A copy of the function for which the kind of its `self` is known.
  func stating(_ kind: SelfKind) -> GenericFunction { GenericFunction(self, stated: kind) }

  /// The plan for calls in which the parameters stand for these types.
  func plan(_ types: [TypeNode: any Any.Type]) throws(PlanError) -> CallPlan {
    let bound = try BoundGenerics(generics, types, function, in: program)
    return try plan(bound)
  }

  private func plan(_ bound: BoundGenerics) throws(PlanError) -> CallPlan {
    let key = bound.binding.types.joined().map { ObjectIdentifier($0) }
    if let known = plans.withLock({ $0[key] }) { return try known.get() }
    let made = Result { () throws(PlanError) in
      try CallPlan(function, bound: bound, in: program, Mutation(stated: stated))
    }
    plans.withLock { $0[key] = made }
    return try made.get()
  }

  /// The plan for a call from Lua.
  /// - Throws: `PlanError` also if nothing tells how it is called.
  /// - Parameters:
  ///   - receiver: What the function is called on; nil if there is no such thing, or if it is a type.
  ///   - type: What it was looked up on, if that is a type.
  ///   - arguments: At the first argument.
  ///   - types: What the call names for parameters that the arguments do not tell.
  ///   - isByKind: Becomes false if the plan does not follow from the kinds of the arguments alone.
  func plan(
    receiver: LuaReader?, on type: (any Any.Type)? = nil, _ arguments: LuaReader,
    naming types: [any Any.Type] = [], isByKind: inout Bool
  ) throws(PlanError) -> CallPlan {
    try checkReceiver()
    var inference = TypeInference(generics, in: program)
    if receiver == nil, let type, let node = receiverNode { inference.learn(node, type) }
    if !function.declaration.isStatic, let receiver, let node = receiverNode {
      var receiver = receiver
      inference.learn(node, &receiver)
    }
    inference.settle()
    let settled = inference
    var reader = arguments
    for parameter in function.declaration.parameters {
      if reader.isAtEnd { break }
      inference.learn(parameter.type, &reader)
    }
    if !inference.name(types) {
      throw PlanError(
        function,
        "the arguments tell what its generic parameters stand for: name no types after them")
    }
    inference.assume(function)
    inference.assumeResult(function)
    if !inference.isByKind { isByKind = false }
    do throws(PlanError) {
      return try plan(try inference.types(function))
    } catch {
      var named = settled
      guard learnNamed(arguments, &named) else { throw error }
      named.assume(function)
      return try plan(try named.types(function))
    }
  }

  /// Takes what arguments tell that are given by name, in a table as the only argument.
  /// - Returns: Whether they are: the table has labels of the function's parameters, and no other names.
  private func learnNamed(_ arguments: LuaReader, _ inference: inout TypeInference) -> Bool {
    var reader = arguments
    let head = reader.read()
    guard head.tag == WAX_LUA_VALUE_TABLE.rawValue else { return false }
    let parameters = function.declaration.parameters
    var found: [(parameter: FunctionParameter, value: LuaReader)] = []
    var hasLabel = false
    for _ in 0..<Int(head.count) {
      let key = reader.read()
      let parameter: FunctionParameter?
      if let name = reader.string(key) {
        hasLabel = true
        parameter = parameters.first { $0.label == name }
      } else if key.tag == WAX_LUA_VALUE_INTEGER.rawValue {
        parameter = parameters.enumerated().first { $0.offset + 1 == key.integer }?.element
      } else {
        parameter = nil
      }
      guard let parameter else { return false }
      found.append((parameter, reader))
      reader.skip()
    }
    guard hasLabel, reader.isAtEnd else { return false }
    for (parameter, value) in found {
      var value = value
      inference.learn(parameter.type, &value)
    }
    return true
  }

  /// The plan for calls on values of this type, if that tells all parameters.
  /// - Throws: `PlanError` also if nothing tells how it is called.
  package func plan(on type: any Any.Type) throws(PlanError) -> CallPlan {
    try checkReceiver()
    var inference = TypeInference(generics, in: program)
    if let node = receiverNode { inference.learn(node, type) }
    return try plan(try inference.types(function))
  }

  /// A call could pass an object where a mutating method or accessor reads the address of a reference.
  private func checkReceiver() throws(PlanError) {
    guard function.declaration.hasInstanceSelf, function.selfKind == nil, stated == nil,
      generics.isReference(generics.selfNode) || generics.selfNode.nominal?.kind == .class,
      FunctionShape.isOfOpenProtocol(function, in: program)
    else { return }
    throw PlanError(
      function,
      "nothing tells whether it is `mutating`; make a facts file with `waxwing facts` where the program is built"
    )
  }

  /// Whether the receiver comes before the arguments.
  var takesReceiver: Bool { function.declaration.contextType != nil }

  /// The type that the receiver tells about the parameters.
  private var receiverNode: TypeNode? {
    guard let nominal = function.declaration.contextType?.nominal else { return nil }
    if nominal.kind == .protocol { return generics.selfNode }
    return generics.context.map { .nominal(nominal.unbound.boundToParameters($0.added)) }
  }
}
