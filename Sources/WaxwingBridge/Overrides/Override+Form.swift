// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection
internal import WaxwingValues

extension Override.Form {
  /// - Parameters:
  ///   - generic: Gives the function's plans, if it is generic.
  ///   - stated: What the script says of it, if it says anything.
  ///   - known: Where functions are looked for that are called alike.
  /// - Throws: `PlanError` if the function cannot be overridden.
  init(
    _ function: RunningFunction, stated: SelfKind?, in program: RunningProgram,
    _ known: KnownSignatures? = nil, _ generic: () throws(PlanError) -> GenericFunction?
  ) throws(PlanError) {
    if function.isReplacement { throw PlanError(function, DynamicReplacement.refusal) }
    try Self.checkEntered(function, stated)
    let isObserver = function.declaration.kind == .accessor(.didSet)
    do throws(PlanError) {
      if let generic = try generic() {
        if isObserver { throw PlanError(function, "it is a `didSet` of a generic type") }
        self = .generic(generic, try GenericEntry(generic, stated: stated))
      } else {
        self = .plain(
          try CallPlan(
            isObserver ? Self.observer(function, in: program) : function, bound: nil, in: program,
            Mutation(stated: stated), known))
      }
      try checkObjects(function)
      if function.enteredCode != nil, case .plain(let plan) = self, let opaque = plan.opaqueNote {
        throw PlanError(function, "nothing tells how it takes its arguments: \(opaque)")
      }
    } catch {
      if function.closure != nil || function.enteredCode != nil { throw error }
      self = .plain(try CallPlan(opaque: function, error, in: program))
    }
  }

  /// The code of a function without a replacement entry does not tell how it takes its receiver.
  private static func checkEntered(
    _ function: RunningFunction, _ stated: SelfKind?
  ) throws(PlanError) {
    guard function.enteredCode != nil else { return }
    let isOfValue = function.declaration.contextType?.nominal.map { $0.kind != .class } ?? true
    if function.declaration.hasInstanceSelf, isOfValue, stated ?? function.selfKind == nil {
      throw PlanError(
        function,
        "nothing tells whether it is `mutating`: there is no debugging information of it (without `-g` there is none, and the "
          + "optimiser drops some); write [\"mutating \(function.declaration.selector)\"] or [\"nonmutating \(function.declaration.selector)\"]"
      )
    }
    if function.declaration.kind == .accessor(.didSet) {
      throw PlanError(function, "nothing tells whether its code takes the old value")
    }
  }

  /// Refuses a function that may be given objects which are gone when its caller returns. The compiler puts an object on the stack
  /// if it knows all that happens to it, which it does where it knows the code of all functions that get the object. Lua may
  /// keep what it gets.
  private func checkObjects(_ function: RunningFunction) throws(PlanError) {
    guard function.enteredCode?.isCalledByOwn == true else { return }
    if case .plain(let plan) = self, !plan.takesObjects { return }
    throw PlanError(
      function,
      "optimised code of \(function.declaration.module) itself calls it, and may pass objects or collections that it has on its "
        + "stack; build \(function.declaration.module) with `-Xfrontend -enable-implicit-dynamic`, or override what calls it"
    )
  }

  /// Whether a `didSet` takes the old value is told by the registers that it saves.
  private static func observer(
    _ function: RunningFunction, in program: RunningProgram
  ) throws(PlanError) -> RunningFunction {
    let saved = function.code.flatMap {
      PrologueReader.savedArguments(
        of: $0, identity: UnsafeRawPointer(bitPattern: function.address))
    }
    for variant in [function, function.ignoringOldValue()] {
      let source = try FunctionShape.Source(variant, nil, in: program)
      guard let shape = try? FunctionShape(source, .read) else { continue }
      if SavedArguments(shape.layout).registers == saved?.registers { return variant }
    }
    throw PlanError(function, "its machine code does not tell whether it takes the old value")
  }
}

extension CallPlan {
  /// Whether something that is passed to the function is an object or refers to one that its caller may have made: no
  /// string, and no function, whose contexts are lent.
  fileprivate var takesObjects: Bool {
    var types = arguments.map(\.codec.type)
    switch signature.receiver {
    case .none, .metatype, .captures: break
    case .value(let argument): types.append(argument.codec.type)
    case .mutableValue(let codec): types.append(codec.type)
    case .object, .uninitialized, .anyObject, .opaque: return true
    }
    return types.contains { type in
      type != String.self && FunctionMetadata(type) == nil && !ValueWitnesses(of: type).isTrivial
    }
  }
}
