// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The second stage of a call by Lua code: Lua's arguments are converted, and put where the
/// function expects them.
struct ArgumentPlacement {
  /// Further facts about arguments that have been placed.
  struct Placed {
    /// The arguments that were left out and have a default value. They are made only after the
    /// state has been left, and strings that Lua passed inside tables are safe only until then.
    var omitted: [Int] = []
    var variables = PassedVariables()

    /// The indices of the arguments that have nothing to destroy.
    var absent: [Int] { omitted + variables.indices }
  }

  let plan: CallPlan
  let target: CallTarget
  /// A table is what a variadic parameter gets, also if it could be an element, as for originals:
  /// an override gets its variadic arguments in a table.
  private var prefersTable: Bool { target.isOriginal }

  private var name: String { plan.function.displayedName }

  /// Converts the arguments in order.
  /// - Parameters:
  ///   - call: Lua's call, for where its code is.
  ///   - lender: The override's call whose variables may be passed on.
  func place(
    _ call: LuaCall, _ reader: inout LuaReader, _ memory: CallMemory,
    _ lender: UnsafeMutablePointer<ActiveCall>? = nil
  ) throws(LuaRaise) -> Placed {
    var placed = Placed()
    for step in plan.steps {
      let place = memory.place(of: step)
      if let plain = step.plain, plain.read(reader.peeked, into: place) {
        _ = reader.read()
      } else {
        try convert(step, call, &reader, &placed, memory, lender)
      }
      if step.offset == nil { memory.scatter(step, plan, placed.variables) }
    }
    return placed
  }

  /// Converts arguments that were given by name.
  func place(
    _ call: LuaCall, _ arguments: BoundArguments, _ memory: CallMemory
  ) throws(LuaRaise) -> Placed {
    var placed = Placed()
    for step in plan.steps {
      var reader = arguments.readers[step.index]
      try convert(step, call, &reader, &placed, memory, isAlone: true)
      if step.offset == nil { memory.scatter(step, plan, placed.variables) }
    }
    return placed
  }

  // MARK: One argument

  private func convert(
    _ step: CallStep, _ call: LuaCall, _ reader: inout LuaReader, _ placed: inout Placed,
    _ memory: CallMemory, _ lender: UnsafeMutablePointer<ActiveCall>? = nil,
    isAlone: Bool = false
  ) throws(LuaRaise) {
    let place = memory.place(of: step)
    let isMissing = reader.isAtEnd
    do throws(ConversionError) {
      if passLent(step, &reader, &placed, memory, lender) { return }
      if step.isRebuilt {
        if passVariable(step, &reader, &placed, memory, lender) { return }
        if isUnchanged(step, &reader, into: place) { return }
      }
      if step.isVariadic, !isAlone {
        try collect(step, &reader, into: place)
      } else if isDefault(step, reader) {
        if !isMissing { _ = reader.read() }
        placed.omitted.append(step.index)
      } else if step.isVariadic, isMissing {
        try VariadicArguments.none(step.codec, into: place)
      } else if isMissing, SourceLocation(plan).write(step.index, of: call, into: place) {
        return
      } else if isMissing, plan.defaults.isUnmade(step.index) {
        throw ConversionError(
          expected: step.codec._withUnsafeGuaranteedRef(\.typeName), found: "nothing")
      } else {
        try step.codec.read(&reader, into: place)
      }
    } catch {
      memory.destroyArguments(step.index, plan, onlyBorrowed: false, except: placed.absent)
      throw isMissing ? missing(step) : wrong(step, error)
    }
  }

  /// Passes on what the running override is lent: of the parameter's type, as `FunctionCall` has seen.
  private func passLent(
    _ step: CallStep, _ reader: inout LuaReader, _ placed: inout Placed, _ memory: CallMemory,
    _ lender: UnsafeMutablePointer<ActiveCall>?
  ) -> Bool {
    guard let lent = LentValue(reader.peeked) else { return false }
    _ = reader.read()
    let argument = plan.arguments[step.index]
    if argument.isInout, let lender, lent.isArgument(step.index, of: lender),
      lender.pointee.isOn(memory.frame.pointee.selfRegister, plan)
    {
      placed.variables.pass(argument, at: step.index, of: lender)
    } else {
      lent.copy(argument.codec, to: memory.place(of: step))
    }
    return true
  }

  /// Passes on what the running override has got, or its original has returned, as it was.
  private func isUnchanged(
    _ step: CallStep, _ reader: inout LuaReader, into place: UnsafeMutableRawPointer
  ) -> Bool {
    guard !reader.isAtEnd, let active = ActiveCall.innermost else { return false }
    return step.codec._withUnsafeGuaranteedRef {
      active.copyUnchanged($0, &reader, .argument(step.index), to: place)
    }
  }

  /// Passes on the variable that the override has got, if Lua has not changed the value.
  private func passVariable(
    _ step: CallStep, _ reader: inout LuaReader, _ placed: inout Placed, _ memory: CallMemory,
    _ lender: UnsafeMutablePointer<ActiveCall>?
  ) -> Bool {
    let argument = plan.arguments[step.index]
    guard argument.isInout, !reader.isAtEnd, let lender,
      lender.pointee.isOn(memory.frame.pointee.selfRegister, plan),
      lender.matches(argument, &reader)
    else { return false }
    placed.variables.pass(argument, at: step.index, of: lender)
    return true
  }

  /// Whether the default value is meant: by no argument at all, or by nil where nil is no value.
  private func isDefault(_ step: CallStep, _ reader: LuaReader) -> Bool {
    guard reader.peeked.isNil else { return false }
    if !reader.isAtEnd, plan.arguments[step.index].isOptional { return false }
    return plan.defaults.value(at: step.index) != nil
  }

  /// The rest of the arguments, but for those of the parameters after this one. A parameter after
  /// it that has a default value has it, unless the variadic arguments come in a table.
  private func collect(
    _ step: CallStep, _ reader: inout LuaReader, into place: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    try VariadicArguments.collect(
      &reader, keeping: plan.defaults.countRequired(after: step.index),
      isLast: step.index == plan.steps.count - 1, prefersTable: prefersTable, step.codec,
      into: place)
  }

  // MARK: Messages

  private func wrong(_ step: CallStep, _ error: ConversionError) -> LuaRaise {
    let isSetter = plan.function.declaration.kind == .setter && step.index == 0
    return .message(
      isSetter
        ? "\(name) is set: \(error)"
        : "\(plan.arguments[step.index].name) of \(name): \(error)")
  }

  private func missing(_ step: CallStep) -> LuaRaise {
    let argument = plan.arguments[step.index]
    let kind = plan.function.declaration.kind
    let reason =
      if let label = Self.literalLabels[argument.name] {
        "only the compiler knows a default value such as `#\(label)`"
      } else if kind.isAccessor, !kind.isSubscript || kind == .subscriptSetter && step.index == 0 {
        "pass the value"
      } else {
        plan.defaults.absence(step.index)
      }
    return .message(
      "\(argument.name) of \(name): expected \(argument.codec.autoclosureResult?.typeName ?? argument.codec.typeName), "
        + "got nothing; \(reason)")
  }

  /// Labels that parameters with a default of `#file` and the like mostly have.
  private static let literalLabels = Dictionary(
    uniqueKeysWithValues: ["file", "fileID", "filePath", "line", "column", "function", "dsohandle"]
      .map { ("`\($0)`", $0) })
}
