// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
package import WaxwingInterception
package import WaxwingReflection

extension FunctionIsolation {
  /// How the function is called without and with the two words of the caller's isolation.
  package typealias Layouts = (plain: CallLayout, isolated: CallLayout)

  /// Finds out to what the function is isolated; to be done once per function.
  ///
  /// What symbols say counts first: `isolated` parameters. Then what the code of an `async` function
  /// does. Where the compiler has found that it makes no difference it says nothing, and nor does
  /// that of other functions: then a method of an actor belongs to the actor, as it does unless its
  /// source says otherwise.
  ///
  /// - Parameters:
  ///   - type: what the function is a member of.
  ///   - layouts: nil for functions that cannot have the two words.
  package init(
    of function: RunningFunction, in type: (any Any.Type)?, layouts: Layouts?,
    program: RunningProgram
  ) {
    let declaration = function.declaration
    if let index = declaration.parameters.firstIndex(where: \.isIsolated) {
      self = .parameter(index)
      return
    }
    let byDefault = Self.byDefault(declaration, type)
    guard function.isAsync else {
      self = byDefault
      return
    }
    if function.witness != nil {
      self = byDefault
      return
    }
    // A closure's type says it, and its forwarder's code does not.
    if case .globalActor(let node)? = declaration.interfaceType?.function?.isolation,
      function.closure != nil
    {
      let type = program.runtimeType(node) as? any GlobalActor.Type
      self = type.map { .globalActor($0) } ?? .unknown
      return
    }
    guard function.isPatchPoint, let pointer = UnsafeRawPointer(bitPattern: function.address) else {
      self = .unknown
      return
    }
    if let layouts,
      IsolationReader.hasCallerIsolation(
        async: pointer, plain: layouts.plain, isolated: layouts.isolated) == true
    {
      self = .caller
      return
    }
    self.init(IsolationReader.executor(ofAsync: pointer), in: type, byDefault, program)
  }

  private init(
    _ executor: EntryExecutor, in type: (any Any.Type)?, _ byDefault: FunctionIsolation,
    _ program: RunningProgram
  ) {
    switch executor {
    // Without an `isolated` parameter it is on its way to an actor whose function it calls.
    case .generic, .argument, .executorOfArgument: self = .none
    case .receiver, .executorOfReceiver: self = .receiver(type as? any Actor.Type)
    case .globalActor(let shared):
      self = Self.globalActor(shared: shared, in: program).map { .globalActor($0) } ?? byDefault
    case .none: self = byDefault
    case .unknown: self = if case .none = byDefault { .unknown } else { byDefault }
    }
  }

  /// Finds out to what an async function without a replacement entry is isolated.
  /// - Parameter layout: As `CallerActor` has found out.
  /// - Throws: `PlanError` if it may run elsewhere than its caller does, and nothing tells where.
  init(
    ofEntered function: RunningFunction, _ code: EnteredCode, in type: (any Any.Type)?,
    _ layout: CallLayout, _ program: RunningProgram
  ) throws(PlanError) {
    let declaration = function.declaration
    if let index = declaration.parameters.firstIndex(where: \.isIsolated) {
      self = .parameter(index)
      return
    }
    let byDefault = Self.byDefault(declaration, type)
    let path = IsolationReader.path(ofCodeAt: code.address)
    if layout.callerActor.isEmpty {
      self.init(path.executor, in: type, byDefault, program)
      return
    }
    let actor = CodeArguments.integers(in: layout.callerActor)
    let isPassed =
      function.codeDescription?.takesCallerActor
      ?? (CodeArguments.integersRead(by: code.address, size: code.size, among: actor) != 0)
    if isPassed {
      self = .caller
    } else if path.executor == .none, case .none = byDefault {
      self = .whereCalled
    } else {
      throw PlanError(
        function,
        "it is async, and its code does not tell whether it runs on its actor or on that of its caller; override what "
          + "calls it")
    }
  }

  private static func byDefault(
    _ declaration: FunctionDeclaration, _ type: (any Any.Type)?
  ) -> FunctionIsolation {
    guard !declaration.isStatic, !declaration.isInitializer, let type = type as? any Actor.Type
    else { return .none }
    return .receiver(type)
  }

  /// The type that has the `shared` at this address: its getter, its addressor, the variable, or what
  /// first sets that.
  private static func globalActor(
    shared address: UInt, in program: RunningProgram
  ) -> (any GlobalActor.Type)? {
    for symbol in program.symbols(at: address) {
      let initializer = "_WZ"
      let names =
        symbol.hasSuffix(initializer)
        ? program.symbols(prefix: String(symbol.dropLast(initializer.count)), near: address)
        : [symbol]
      for name in names {
        guard let declaration = FunctionDeclaration(symbol: name), declaration.baseName == "shared",
          let node = declaration.contextType,
          let type = program.runtimeType(node) as? any GlobalActor.Type
        else { continue }
        return type
      }
    }
    return nil
  }
}
