// SPDX-License-Identifier: MIT

internal import WaxwingInterception
internal import WaxwingReflection

/// Whether an async function without a replacement entry gets the actor of its caller, as `nonisolated(nonsending)` functions
/// do: in two words before its parameters. No symbol tells. What the code does with registers tells, and where debugging
/// information says that parameters are.
enum CallerActor {
  case passed
  case absent
  /// The function does not use the words, if it gets them, and its parameters are in the same places either way.
  case ignored
  case unknown

  /// - Parameters:
  ///   - plain: The function's layout without the two words.
  ///   - isolated: The one with them.
  init(
    of function: RunningFunction, _ code: EnteredCode, plain: CallLayout, isolated: CallLayout
  ) {
    let actor = CodeArguments.integers(in: isolated.callerActor)
    let own = SavedArguments(plain).registers.integer
    let all = SavedArguments(isolated).registers.integer
    guard actor.nonzeroBitCount == isolated.callerActor.count else {
      self = .unknown
      return
    }
    let read = CodeArguments.integersRead(by: code.address, size: code.size, among: own | all)
    if Self.placesParametersAlike(plain, isolated) {
      self =
        function.codeDescription?.takesCallerActor.map { $0 ? .passed : .absent }
        ?? Self.ofWords(read & actor, actor, code)
      return
    }
    // Registers that the function has only if the words are before its parameters.
    let beyond = all & ~own
    switch Self.told(function.codeDescription, plain, isolated) {
    case .absent: self = read & beyond == 0 ? .absent : .unknown
    case .passed: self = .passed
    default:
      self =
        read & beyond != 0 && read & actor == actor
        ? .passed : Self.ofUnoptimized(function, code, read, plain, isolated)
    }
  }

  /// What debugging information tells.
  private static func told(
    _ description: CodeDescription?, _ plain: CallLayout, _ isolated: CallLayout
  ) -> CallerActor {
    guard let description else { return .unknown }
    if let takes = description.takesCallerActor { return takes ? .passed : .absent }
    var (fitsPlain, fitsIsolated) = (true, true)
    func look(_ numbers: UInt32, _ one: CallLayout.Placement?, _ other: CallLayout.Placement?) {
      let registers = CodeArguments.integers(describedBy: numbers)
      guard registers != 0, let one, let other else { return }
      if registers & ~CodeArguments.integers(in: [one]) != 0 { fitsPlain = false }
      if registers & ~CodeArguments.integers(in: [other]) != 0 { fitsIsolated = false }
    }
    // A tuple is one parameter of the source, and several of the layout.
    if description.parameters.count == plain.parameters.count {
      for (index, numbers) in description.parameters.enumerated() {
        look(numbers, plain.parameters[index], isolated.parameters[index])
      }
    }
    look(description.receiver, plain.selfPlacement, isolated.selfPlacement)
    return fitsPlain == fitsIsolated ? .unknown : fitsPlain ? .absent : .passed
  }

  /// What follows from the arguments that code without optimisation reads: it keeps all of them.
  private static func ofUnoptimized(
    _ function: RunningFunction, _ code: EnteredCode, _ read: UInt8, _ plain: CallLayout,
    _ isolated: CallLayout
  ) -> CallerActor {
    let (own, all) = (SavedArguments(plain), SavedArguments(isolated))
    guard function.isUnoptimized, read == own.registers.integer else { return .unknown }
    if all.registers.integer != read { return .absent }
    let path = IsolationReader.path(ofCodeAt: code.address)
    if path.executor == .unknown { return .unknown }
    if path.stackWords == all.stackWords { return .passed }
    return path.stackWords == own.stackWords ? .absent : .unknown
  }

  private static func placesParametersAlike(_ plain: CallLayout, _ isolated: CallLayout) -> Bool {
    plain.parameters == isolated.parameters && plain.selfPlacement == isolated.selfPlacement
      && plain.trailingPointers == isolated.trailingPointers && plain.thrown == isolated.thrown
      && plain.stackBytes == isolated.stackBytes
  }

  /// What follows from the words that the code reads where no parameter can be.
  private static func ofWords(_ read: UInt8, _ actor: UInt8, _ code: EnteredCode) -> CallerActor {
    if read != 0 { return read == actor ? .passed : .unknown }
    // One that gets the actor has to go back there before it returns, once it has been somewhere else.
    return IsolationReader.path(ofCodeAt: code.address).hasSwitched ? .absent : .ignored
  }
}

extension FunctionShape {
  /// Refuses an async function of which nothing tells whether it gets its caller's actor.
  static func checkCallerActor(_ layouts: Layouts, _ kind: ReceiverKind) throws(PlanError) {
    guard case .unknown? = layouts.callerActor(kind) else { return }
    throw PlanError(
      layouts.source.function,
      "it is async, and nothing tells whether it gets its caller's actor, as `nonisolated(nonsending)` functions do: "
        + "neither its code nor debugging information says where its parameters are; build it with `-g`, or override "
        + "what calls it")
  }
}
