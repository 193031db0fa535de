// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection

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
        "nothing tells whether it is `mutating`: the program has no debugging information of it; build with `-g`, or write "
          + "[\"mutating \(function.declaration.selector)\"] or [\"nonmutating \(function.declaration.selector)\"]"
      )
    }
    if function.declaration.kind == .accessor(.didSet) {
      throw PlanError(function, "nothing tells whether its code takes the old value")
    }
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
