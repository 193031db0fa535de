// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The functions that lua/waxwing/advice.lua calls.
extension PreludeBindings {
}

// MARK: - Where advice goes

extension PreludeBindings {
  /// (scope, kind, name, instance?) -> the number of the patch point
  func findPoint(_ call: inout LuaCall) throws(LuaRaise) {
    let (scope, kind, written) = try member(&call)
    let (name, stated) = Self.statedKind(written)
    let function = try named { () throws(NameError) in
      try runtime.resolver.patchPoint(name, kind, in: scope)
    }
    if function.entries.count > 1 {
      throw .message(
        "`\(function.declaration.qualifiedName)` takes no advice: the optimiser has put the function that it stands in "
          + "into several others; assign an override to it")
    }
    var reader = call.arguments
    for _ in 0..<3 { reader.skip() }
    if !reader.peeked.isNil { try check(instance: reader.peeked, reader, function, scope) }
    let point = runtime.overrides.at(function)
    _ = try planned { () throws(PlanError) in
      try runtime.plans.form(of: point, stated: stated)
    }
    call.writer.integer(number(of: point))
  }

  private func number(of point: PointOverrides) -> Int {
    if let known = runtime.declarations.numberedPoints.firstIndex(where: { $0 === point }) {
      return known + 1
    }
    runtime.declarations.numberedPoints.append(point)
    return runtime.declarations.numberedPoints.count
  }

  private func point(_ reader: inout LuaReader) throws(LuaRaise) -> PointOverrides {
    let number = Int(reader.read().integer)
    guard runtime.declarations.numberedPoints.indices.contains(number - 1) else {
      throw .message("there is no patch point \(number)")
    }
    return runtime.declarations.numberedPoints[number - 1]
  }

  /// Calls can be told apart by their object only where there is one, before the call.
  private func check(
    instance: wax_lua_value, _ reader: LuaReader, _ function: RunningFunction,
    _ scope: NameResolver.Scope
  ) throws(LuaRaise) {
    let name = function.displayedName
    func refusal(_ reason: String) -> LuaRaise {
      .message("`instance` cannot be given for \(name): \(reason)")
    }
    guard case .type(let type, _) = scope else {
      throw refusal("a free function is not called on an object")
    }
    if function.declaration.isStatic { throw refusal("it is called on the type, not on an object") }
    if [.initializer, .allocatingInitializer].contains(function.declaration.kind) {
      throw refusal("an initializer has no object before it has made one")
    }
    guard type.nominal.kind == .class else {
      throw refusal("values of \(type.name) are copies and cannot be told apart")
    }
    guard instance.tag == WAX_LUA_VALUE_OBJECT.rawValue, let object = instance.pointer else {
      throw .message(
        "`instance` is an object of \(type.name), got \(ValueDescription.of(instance, reader))")
    }
    let line = ClassLine.descriptors(of: ObjectReference.dynamicType(object))
    if !line.contains(type.descriptor) {
      throw .message(
        "`instance` is an object of \(type.name), got \(ValueDescription.of(instance, reader))")
    }
  }

  /// (point) -> whether calls have a receiver, whether it is an initializer, whether its results are
  /// to be counted, which arguments are `inout`, the function that calls the original
  func describePoint(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let point = try point(&reader)
    let declaration = point.function.declaration
    let inouts = declaration.parameters.indices.filter {
      declaration.parameters[$0].ownership == .inout
    }
    call.writer.boolean(declaration.contextType != nil)
    call.writer.boolean([.initializer, .allocatingInitializer].contains(declaration.kind))
    call.writer.boolean(!inouts.isEmpty || mayReturnMore(point))
    call.writer.array(count: inouts.count)
    for index in inouts { call.writer.integer(index + 1) }
    call.writer.function(try original(point))
  }

  /// Whether an override may return more: a tuple, or the new value of `self`. A generic function's
  /// plan depends on the types.
  private func mayReturnMore(_ point: PointOverrides) -> Bool {
    guard case .plain(let plan) = point.form else { return true }
    return (plan.result?.resultCount ?? 0) > 1 || plan.returnedReceiver != nil
  }
}

// MARK: - Pieces

extension PreludeBindings {
  private func piece(_ kind: Override.Piece.Kind, _ index: Int, _ call: LuaCall) -> AdvicePiece {
    AdvicePiece(kind, call.advice(index), declaredAt: call.position())
  }

  /// Adds a replacement; Lua calls this as (point, function, advice).
  func addReplacement(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let point = try point(&reader)
    try add(piece(.instead, 2, call), .replacement, at: point, function: 1, &call)
  }

  /// (point, function that runs all pieces, advice, isAfter, function of the piece)
  func addObservers(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let point = try point(&reader)
    let piece = piece(kind(&reader), 2, call)
    try add(piece, .observers, at: point, function: 1, &call)
    checkParameters(of: piece.kind, point, 4, call)
  }

  /// (point, nothing, advice, isAfter, function of the piece)
  func attach(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let point = try point(&reader)
    let piece = piece(kind(&reader), 2, call)
    point.observers?.add(piece)
    checkParameters(of: piece.kind, point, 4, call)
  }

  /// Checks the parameters of a piece of advice. Only a call decides the arguments of `after` for
  /// an initializer, and the results of generic functions.
  private func checkParameters(
    of kind: Override.Piece.Kind, _ point: PointOverrides, _ index: Int, _ call: LuaCall
  ) {
    guard let form = point.form else { return }
    if kind == .before { return checkParameters(point.function, form, index, call, of: kind) }
    guard case .plain(let plan) = form, !plan.isInitializer else { return }
    let results = max(plan.result?.resultCount ?? 0, 1) + (plan.returnedReceiver == nil ? 0 : 1)
    checkParameters(point.function, form, index, call, of: kind, results: results)
  }

  /// Skips the two before it.
  private func kind(_ reader: inout LuaReader) -> Override.Piece.Kind {
    reader.skip()
    reader.skip()
    return reader.read().integer != 0 ? .after : .before
  }

  /// (point, advice): the piece has ended.
  func settle(_ call: inout LuaCall) {
    var reader = call.arguments
    guard let point = try? point(&reader), let advice = call.advice(1) else { return }
    let owner = (point.replacements + [point.observers].compactMap(\.self)).first {
      $0.piece(advice) != nil
    }
    if let owner { runtime.overrides.settle(owner) }
  }
}

extension PreludeBindings {
  /// () -> "loading" or "running" in a parallel patch, else nothing
  func sayWhetherParallel(_ call: inout LuaCall) {
    if runtime.options.isParallel { call.writer.string(runtime.isLoading ? "loading" : "running") }
  }
}

// MARK: - Calls

extension PreludeBindings {
  /// (advice, error) -> whether it is to be thrown to Swift; if not, it is reported.
  func failed(_ call: inout LuaCall) {
    guard let active = ActiveCall.innermost, let advice = call.advice(0) else { return }
    let failure = call.failure(1)
    let plan = active.pointee.plan
    let options = runtime.options
    if let error = plan.errorToThrow(failure, options), plan.outcome.canThrow(error) {
      return call.writer.boolean(true)
    }
    let override = active.pointee.running
    let piece = override.piece(advice)
    let fault = OverrideFault(
      function: plan.function.declaration.qualifiedName,
      message: failure.message + plan.wrongError(failure, options), frames: failure.frames,
      position: failure.position ?? piece?.declaredAt)
    state.suspended { override.fail(fault, piece) }
    call.writer.boolean(false)
  }

  /// (advice, isResult, value …) -> nothing if the values a piece returned can stand for the call's
  /// arguments or its result and `inout` arguments, else what is wrong.
  func fits(_ call: inout LuaCall) {
    guard let active = ActiveCall.innermost, let advice = call.advice(0) else { return }
    let plan = active.pointee.plan
    var reader = call.arguments
    reader.skip()
    let isResult = reader.read().integer != 0
    let trial = ValueTrial(plan)
    let reason = isResult ? trial.result(&reader) : trial.arguments(&reader)
    defer { state.suspended { trial.end() } }
    guard let reason else { return }
    let override = active.pointee.running
    let piece = override.piece(advice)
    let place = piece?.declaredAt.map { "\($0.source):\($0.line ?? 0)" } ?? "patch"
    call.writer.string(
      "\(place): the `\(piece?.kind.rawValue ?? "advice")` of "
        + "\(plan.function.declaration.qualifiedName) returned \(reason)")
  }

  /// () -> the labels of the tuple that the running function returns; "" for none
  func labels(_ call: inout LuaCall) {
    let labels = ActiveCall.innermost?.pointee.plan.result?.labels ?? []
    call.writer.array(count: labels.count)
    for label in labels { call.writer.string(label ?? "") }
  }

  /// () -> whether the running function's results end with what it made of `self`
  func sayWhetherSelfReturns(_ call: inout LuaCall) {
    call.writer.boolean(ActiveCall.innermost?.pointee.plan.returnedReceiver != nil)
  }
}
