// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// How the program calls a closure.
///
/// A closure's symbol tells its type and not how it is called: the compiler makes it for the parameter that it is
/// passed for. If that is of a generic type, as `use: (Request) async throws -> Output`, the closure takes and returns
/// by address what its own type has in registers, and throws although it says nothing of it. So the code that makes a
/// value of the closure is followed to the function that gets the value, whose symbol tells the parameter's type.
enum ClosureConvention {
  /// The use that the program makes of a closure.
  /// - Throws: `NameError` with the reason why the closure cannot be overridden.
  static func use(
    of closure: ProgramClosure, in program: RunningProgram
  ) throws(NameError) -> ClosureUse {
    if let pointer = closure.pointers.first {
      LuaState.withoutCharge { _ = program.closureReferences(to: pointer.address) }
    }
    let own = ownCode(of: closure, in: program)
    try checkCopies(of: closure, own, in: program)
    try checkDirectCalls(of: closure, own, in: program)
    let made = closure.pointers.map {
      (pointer: $0, references: references(to: $0.address, own, in: program))
    }.filter { !$0.references.isEmpty }
    if made.isEmpty {
      throw refusal(closure, "nothing in the program's code makes a value of it")
    }
    let taking =
      made.contains(where: \.pointer.isForC)
      ? try takingInC(of: closure, made.map(\.pointer))
      : try taking(of: closure, made.flatMap(\.references), in: program)
    return ClosureUse(
      pointers: try entered(made.map(\.pointer.address), of: closure, own, in: program).map {
        (address) throws(NameError) in
        ClosureUse.Pointer(
          address: address, enteredCode: try enteredCode(of: closure, at: address, in: program))
      }, taker: taking.taker, type: taking.type,
      hasContext: closure.pointers.contains(where: \.isForwarder),
      mayBeOnStack: taking.mayBeOnStack)
  }

  /// How C calls a closure that is passed to it as a function.
  private static func takingInC(
    of closure: ProgramClosure, _ pointers: [ProgramClosure.Pointer]
  ) throws(NameError) -> Taking {
    let type = closure.declaration.interfaceType?.function
    if let type, mayHandleSignals(type) {
      throw refusal(
        closure,
        "it is passed to C as a function with the type of a signal handler, in which Lua must not run"
      )
    }
    guard let type, pointers.allSatisfy(\.isForC), isAlikeInC(type) else {
      throw refusal(
        closure,
        "it is passed to C as a function (`@convention(c)`), and has values other than pointers and numbers of 32 or 64 "
          + "bits, or Swift calls it, too")
    }
    return Taking(taker: nil, type: type)
  }

  /// How all functions that the program passes a closure to call it.
  private static func taking(
    of closure: ProgramClosure, _ references: [CallReader.Reference], in program: RunningProgram
  ) throws(NameError) -> Taking {
    // No text for an error that would not be shown.
    if references.contains(.unknown), let type = typeOfOneConvention(closure, in: program) {
      return Taking(taker: nil, type: type, mayBeOnStack: true)
    }
    do throws(NameError) {
      var takings: [Taking] = []
      for reference in references {
        takings.append(try taking(of: closure, reference, program))
      }
      guard var taking = takings.first, takings.allSatisfy({ $0.isLike(taking) }) else {
        throw refusal(
          closure,
          "it is passed to different functions, \(takings.first?.taker?.displayedName ?? "") and others"
        )
      }
      taking.mayBeOnStack = takings.contains(where: \.mayBeOnStack)
      return taking
    } catch {
      guard let type = typeOfOneConvention(closure, in: program) else { throw error }
      return Taking(taker: nil, type: type, mayBeOnStack: true)
    }
  }

  /// The type of a closure that is called in one way, whatever it is passed to; nil: it may be called in several.
  ///
  /// What has no size has no place, and what is passed by address is so also for a generic parameter. An error would not
  /// be: for `throws(E)` it is returned by address. An async function that cannot throw may be called as one that can.
  private static func typeOfOneConvention(
    _ closure: ProgramClosure, in program: RunningProgram
  ) -> FunctionType? {
    guard !closure.isAsync, let type = closure.declaration.interfaceType?.function,
      !isDependent(type), !type.isAsync, !closure.declaration.isThrowing, type.thrownType == nil,
      type.result == .void
    else { return nil }
    let lowering = GenericLowering(nil, nil, in: program)
    for parameter in type.parameters {
      // Of a tuple each element is passed.
      if case .tuple = parameter.type { return nil }
      if lowering.isAddressOnly(parameter.type) != true { return nil }
    }
    return type
  }

  /// Whether C calls a function of the type as Swift does: with numbers and pointers, which are in the same registers. A number
  /// of less than 32 bits is extended to these by who passes it in C.
  private static func isAlikeInC(_ type: FunctionType) -> Bool {
    func isAlike(_ node: TypeNode) -> Bool {
      let name = (node.optionalPayload ?? node).nominal?.unbound.qualifiedName ?? ""
      let isPointer =
        name.hasPrefix("Swift.Unsafe") && name.hasSuffix("Pointer") && !name.contains("Buffer")
      return isPointer || name == "Swift.OpaquePointer"
        || node.optionalPayload == nil && numbers.contains(name)
    }
    return type.parameters.count <= 6 && type.parameters.allSatisfy { isAlike($0.type) }
      && (type.result == .void || isAlike(type.result)) && type.thrownType == nil
  }

  private static func mayHandleSignals(_ type: FunctionType) -> Bool {
    let types = type.parameters.map(\.type)
    return type.result == .void && types.first?.nominal?.qualifiedName == "Swift.Int32"
      && (types.count == 1 || types.count == 3 && types[1].mangled.contains("siginfo_t"))
  }

  private static let numbers: Set = [
    "Swift.Int", "Swift.Int32", "Swift.Int64", "Swift.UInt", "Swift.UInt32", "Swift.UInt64",
    "Swift.Float", "Swift.Double",
  ]

  /// One place that passes a value of a closure to a function.
  private struct Taking {
    /// Nil: any function calls the closure in one way.
    let taker: RunningFunction?
    /// The type of that function's parameter.
    let type: FunctionType
    /// Whether nothing tells that it escapes or does not.
    var mayBeOnStack = false

    /// Whether both call the closure in the same way. How a type with generic parameters is called depends on whose
    /// they are.
    func isLike(_ other: Taking) -> Bool {
      type == other.type
        && (taker?.symbol == other.taker?.symbol || !ClosureConvention.isDependent(type))
    }
  }

  /// What the program's code does with the address of a closure.
  private static func references(
    to address: UInt, _ own: [Range<UInt>], in program: RunningProgram
  ) -> [CallReader.Reference] {
    program.closureReferences(to: address)
      .filter { place in !own.contains { $0.contains(place) } }
      .map { CallReader.use(of: address, at: $0) }
      .filter { $0 != .none }
  }

  private static func taking(
    of closure: ProgramClosure, _ reference: CallReader.Reference, _ program: RunningProgram
  ) throws(NameError) -> Taking {
    switch reference {
    case .argument(let callee, let registers):
      try taking(of: closure, passedTo: callee, in: registers, program)
    case .captured(let wrapper): try taking(of: closure, capturedBy: wrapper, program)
    case .none, .unknown: throw isPassedOn(closure)
    }
  }

  /// What makes of the closure a function that is called in another way calls the closure as its own type says, if it passes
  /// nothing by address.
  private static func taking(
    of closure: ProgramClosure, capturedBy wrapper: UInt, _ program: RunningProgram
  ) throws(NameError) -> Taking {
    let thunks = program.symbols(at: wrapper).compactMap(ReabstractionThunk.init(forwarder:))
    guard let thunk = thunks.first, thunks.count == 1, thunk.passesNothingByAddress,
      thunk.callsAsync == closure.isAsync, thunk.callsThrowing == closure.declaration.isThrowing,
      let type = closure.declaration.interfaceType?.function, !isDependent(type)
    else { throw isPassedOn(closure) }
    return Taking(taker: nil, type: type, mayBeOnStack: !thunk.callsEscaping)
  }

  private static func isPassedOn(_ closure: ProgramClosure) -> NameError {
    refusal(
      closure,
      "nothing tells how it is called: the program's code does not pass it straight to a function")
  }

  /// The code of a closure that is not async, whose values lead there; nil: it is async.
  private static func enteredCode(
    of closure: ProgramClosure, at address: UInt, in program: RunningProgram
  ) throws(NameError) -> EnteredCode? {
    if closure.isAsync { return nil }
    guard let size = program.sizeOfOnlyFunction(at: address) else {
      throw refusal(closure, "its code is that of other functions, too, or nothing tells its size")
    }
    return EnteredCode(address: address, size: size, missed: nil, isCalledByOwn: false)
  }

  /// Refuses a closure of which the optimiser has made copies with other arguments, which are called where an override
  /// would not see it.
  private static func checkCopies(
    of closure: ProgramClosure, _ own: [Range<UInt>], in program: RunningProgram
  ) throws(NameError) {
    func others(_ codes: [UInt]) -> [UInt] {
      codes.flatMap(program.closureReferences).filter { place in
        CallReader.isCodeReference(at: place) && !own.contains { $0.contains(place) }
      }
    }
    if !closure.isInCopies, others(closure.copies).isEmpty,
      others(closure.merged).allSatisfy({ isEndOfClosure($0, program) })
    {
      return
    }
    throw refusal(
      closure,
      "the optimiser has made a copy of its code for certain values, which an override would not see"
    )
  }

  /// Where calls of all values of a closure come by once, of the pointers that values lead to: the code of one may only pass
  /// them on to another, and an override of both would run twice.
  private static func entered(
    _ pointers: [UInt], of closure: ProgramClosure, _ own: [Range<UInt>],
    in program: RunningProgram
  ) throws(NameError) -> [UInt] {
    if closure.isAsync { return pointers.uniqued }
    let all = Set(closure.pointers.map(\.address))
    func passedOn(_ pointer: UInt) -> UInt? {
      CallReader.passedOn(at: pointer).flatMap { $0 != pointer && all.contains($0) ? $0 : nil }
    }
    let entered = pointers.map { passedOn($0) ?? $0 }.uniqued
    for pointer in entered {
      let branches = program.closureReferences(to: pointer).filter { place in
        CallReader.isBranch(at: place) && own.contains { $0.contains(place) }
      }
      // The distance is behind one byte or two.
      if branches.allSatisfy({ passedOn($0 - 1) == pointer || passedOn($0 - 2) == pointer }),
        passedOn(pointer) == nil,
        jumps(to: pointer, program).allSatisfy({
          !own.contains($0) || passedOn($0.lowerBound) == pointer
        })
      {
        continue
      }
      throw refusal(closure, "one copy that the optimiser has made of it calls another")
    }
    return entered
  }

  /// Whether a jump is all that a closure has of its own: what it has in common with others is behind that.
  private static func isEndOfClosure(_ place: UInt, _ program: RunningProgram) -> Bool {
    guard CallReader.isJump(at: place) else { return false }
    return program.closures.contains { closure in
      closure.codes.contains { code in
        guard code <= place, place - code < longestEnd, let end = program.nextSymbol(after: code)
        else { return false }
        return place < end && end - code <= longestEnd
      }
    }
  }

  /// In bytes.
  private static let longestEnd: UInt = 64

  /// The code of a closure's forwarders, bodies and copies for certain types.
  private static func ownCode(
    of closure: ProgramClosure, in program: RunningProgram
  ) -> [Range<UInt>] {
    (closure.codes + closure.copies + closure.merged).map { code in
      code..<program.endOfCode(at: code)
    }
  }

  /// Refuses a closure whose code something else than its values calls: an override would not see that. Its forwarders
  /// call its body.
  private static func checkDirectCalls(
    of closure: ProgramClosure, _ own: [Range<UInt>], in program: RunningProgram
  ) throws(NameError) {
    // Of a closure that is not async, values are made of the address of its code.
    let values = closure.isAsync ? [] : Set(closure.pointers.map(\.address))
    let callers = closure.codes.flatMap { code in
      program.closureReferences(to: code).filter { place in
        let isCall =
          values.contains(code)
          ? CallReader.isBranch(at: place) : CallReader.isCodeReference(at: place)
        return isCall && !own.contains { $0.contains(place) }
      } + jumps(to: code, program).filter { !own.contains($0) }.map(\.lowerBound)
    }
    if callers.isEmpty { return }
    throw refusal(
      closure,
      "the optimiser has made \(callers.count == 1 ? "a call" : "\(callers.count) calls") of it direct, which an "
        + "override would not see")
  }

  /// The functions that jump over a short distance to code.
  private static func jumps(to code: UInt, _ program: RunningProgram) -> [Range<UInt>] {
    program.codeNear(code).filter { CallReader.jumpsShort(from: $0, to: code) }
  }

  private static func taking(
    of closure: ProgramClosure, passedTo code: UInt, in registers: Set<Int>,
    _ program: RunningProgram
  ) throws(NameError) -> Taking {
    let symbols = program.symbols(at: code)
    let takers = symbols.compactMap { RunningFunction(symbol: $0, code: code) }
    guard let taker = takers.first, takers.count == 1 else {
      if let taking = taking(of: closure, passedToCopy: symbols, code) { return taking }
      throw refusal(closure, otherTaker(symbols.first ?? program.exportedName(at: code)))
    }
    let parameter: FunctionParameter?
    do throws(PlanError) {
      parameter = try Self.parameter(of: taker, in: registers, program)
    } catch {
      throw refusal(closure, "nothing tells how it is called: \(error.description)")
    }
    guard let type = parameter.flatMap(Self.functionType), isMeant(type, closure.declaration) else {
      throw refusal(
        closure,
        "nothing tells how it is called: \(taker.displayedName), which it is passed to, has no parameter for it"
      )
    }
    try checkOthers(closure, taker, type)
    return Taking(taker: taker, type: type)
  }

  /// A copy of a function calls its closures as the function does, whatever its other arguments have become.
  private static func taking(
    of closure: ProgramClosure, passedToCopy symbols: [String], _ code: UInt
  ) -> Taking? {
    guard let symbol = symbols.first, symbols.count == 1, !isOfTask(symbol),
      let copied = CopiedFunction(of: symbol),
      let taker = RunningFunction(symbol: copied.symbol, code: code)
    else { return nil }
    let types = copied.declaration.parameters.compactMap(Self.functionType)
    guard let type = types.first, types.count == 1, isMeant(type, closure.declaration) else {
      return nil
    }
    return Taking(taker: taker, type: type)
  }

  /// Why a closure cannot be overridden that is passed to what is no Swift function with a symbol of its own.
  private static func otherTaker(_ name: String?) -> String {
    if let name, isOfTask(name) {
      return
        "it is what a task does (`Task { … }`, `addTask`, `async let`), and the runtime calls it"
    }
    return switch name {
    case "_Block_copy":
      "it is passed to C as a block, as `DispatchQueue.async` does, and C calls it"
    case let name? where !name.hasPrefix("$s"):
      "nothing tells how it is called: it is passed to `\(name)`, which is no Swift function"
    case _?:
      "nothing tells how it is called: the function that it is passed to is a copy that the optimiser has made"
    case nil:
      "nothing tells how it is called: the function that it is passed to has no symbol"
    }
  }

  /// Whether it is a function that makes tasks, or a copy of one for certain types: of `Task`, `TaskGroup` and
  /// `ThrowingTaskGroup`.
  private static func isOfTask(_ name: String) -> Bool {
    ["$sScT", "$sScG", "$sScg", "swift_task_create", "swift_asyncLet_begin"]
      .contains(where: name.hasPrefix)
  }

  /// No symbol says that an async function is `nonisolated(nonsending)`, and gets an actor in front of its arguments.
  /// So the parameter may be another one.
  private static func checkOthers(
    _ closure: ProgramClosure, _ taker: RunningFunction, _ type: FunctionType
  ) throws(NameError) {
    guard taker.isAsync else { return }
    let others = taker.declaration.parameters.compactMap(Self.functionType).filter {
      $0 != type && isMeant($0, closure.declaration)
    }
    if others.isEmpty { return }
    throw refusal(
      closure,
      "nothing tells how it is called: \(taker.displayedName), which it is passed to, has several parameters for it"
    )
  }

  /// The parameter of a function whose first word is in one of these registers.
  private static func parameter(
    of taker: RunningFunction, in registers: Set<Int>, _ program: RunningProgram
  ) throws(PlanError) -> FunctionParameter? {
    let generics = try FunctionGenerics(taker, in: program)
    let source = FunctionShape.Source(
      function: taker, program: program, generics: generics,
      opaque: try OpaqueResults(taker, generics, in: program)
    ) { Self.type(laidOutAs: $0, program) }
    let parameters = taker.declaration.parameters
    var parts: [[FunctionShape.Part]] = []
    for (index, parameter) in parameters.enumerated() {
      parts.append(try FunctionShape.parts(parameter, index, source))
    }
    // Only an async function gets the addresses of its results among its arguments.
    let result = ResultShape(taker.isAsync ? try FunctionShape.resultParts(source) : [])
    let layout = CallLayout(
      parameters: parts.joined().map(\.value), result: result.value, selfForm: .none,
      indirectResults: result.addressed.count, isAsync: taker.isAsync)
    let found = zip(parameters, FunctionShape.placements(parts, layout)).filter {
      guard let piece = $1.first?.pieces.first else { return false }
      return piece.bank == .integer && registers.contains(piece.index)
    }
    return found.count == 1 ? found[0].0 : nil
  }

  /// A type with the layout of another; nil if that depends on generic parameters.
  private static func type(laidOutAs node: TypeNode, _ program: RunningProgram) -> (any Any.Type)? {
    guard node.isDependent else { return program.runtimeType(node) }
    // All function values are alike.
    if node.function != nil { return (() -> Void).self }
    return node.optionalPayload?.function == nil ? nil : (() -> Void)?.self
  }

  private static func functionType(_ parameter: FunctionParameter) -> FunctionType? {
    (parameter.type.optionalPayload ?? parameter.type).function
  }

  /// Whether the closure can be passed as a value of the type of a parameter.
  private static func isMeant(_ type: FunctionType, _ closure: FunctionDeclaration) -> Bool {
    guard let own = closure.interfaceType?.function, type.isAsync == own.isAsync,
      own.parameters.count == type.parameters.count
    else { return false }
    let pairs =
      zip(own.parameters.map(\.type), type.parameters.map(\.type)) + [(own.result, type.result)]
    return own.thrownType == type.thrownType
      && pairs.allSatisfy { $1.isDependent || $0 == $1 }
  }

  private static func refusal(_ closure: ProgramClosure, _ reason: String) -> NameError {
    NameError("\(closure.declaration.qualifiedName): \(reason); override what it calls")
  }

  /// How values travel in calls of a closure.
  static func pattern(
    of function: RunningFunction, _ use: ClosureUse, in program: RunningProgram
  ) throws(PlanError) -> CallPattern {
    try check(function, use)
    // The actor of a type makes no difference to its calls.
    guard let own = function.declaration.interfaceType?.function.map(withoutActor),
      let type = program.runtimeType(.function(own)), let metadata = FunctionMetadata(type)
    else {
      throw PlanError(function, "the runtime does not know its type")
    }
    let generics = try use.taker.flatMap { (taker) throws(PlanError) in
      try FunctionGenerics(taker, in: program)
    }
    let lowering = GenericLowering(generics, nil, in: program)
    let pattern: CallPattern
    do throws(UnsupportedType) {
      pattern = CallPattern(
        try lowering.abstraction(.function(withoutActor(use.type)), type), metadata)
    } catch {
      throw PlanError(function, "its type cannot cross: \(error.reason)")
    }
    if let thrown = pattern.thrown, thrown != .byType(.natural) {
      throw PlanError(function, "it returns its typed error (`throws(E)`) by address")
    }
    return pattern
  }

  private static func withoutActor(_ type: FunctionType) -> FunctionType {
    var type = type
    type.isolation = nil
    return type
  }

  private static func check(_ function: RunningFunction, _ use: ClosureUse) throws(PlanError) {
    guard let own = function.declaration.interfaceType?.function, !isDependent(own) else {
      throw PlanError(
        function, "it stands in generic code, and its type is not known before it is called")
    }
    for type in [own, use.type] {
      switch type.isolation {
      case nil, .globalActor: break
      case .any, .caller:
        throw PlanError(
          function,
          "its type says that it runs where its maker or its caller does (`@isolated(any)`, "
            + "`nonisolated(nonsending)`)")
      }
    }
  }

  private static func isDependent(_ type: FunctionType) -> Bool {
    (type.parameters.map(\.type) + [type.result, type.thrownType].compactMap(\.self)).contains(
      where: \.isDependent)
  }
}
