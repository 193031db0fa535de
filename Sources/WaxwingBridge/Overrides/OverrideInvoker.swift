// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import CWaxwingProcess
internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// Runs an override in one call: it turns the registers into Lua values, runs the Lua function, and
/// puts its results into the result registers. If that fails the invoker declines, and the original
/// runs with the arguments as they came.
///
/// An override of a generic function has one invoker for each list of types that it is called with.
/// Unchecked: fixed after `init`; what C has of it changes with the state entered.
final class OverrideInvoker: @unchecked Sendable {
  let plan: CallPlan
  /// Unchecked: an override keeps its invokers.
  unowned(unsafe) let override: Override
  var state: LuaState { override.state }
  var reference: Int32 { override.reference }
  var classReference: Int32? { override.classReference }
  /// The activities of an async function's calls, which outlive the script; nil if the function is
  /// not async.
  let activities: Activities?
  private var declaredAt: LuaFrame? { override.declaredAt }
  var options: ScriptOptions { override.options }
  /// The call in a form that C runs; nil: it takes Swift.
  private(set) var compiled: UnsafeMutablePointer<wax_call_override>?
  /// The values that the Lua function is lent.
  private(set) var lending: Lending

  init(_ plan: CallPlan, of override: Override) {
    self.plan = plan
    self.override = override
    activities = plan.isAsync ? PatchContext.context(of: override.state)?.activities : nil
    compiled = nil
    lending = .nothing
    lending = Lending(plan, override.passing, first: firstArgument)
    compiled = compile()
  }

  deinit {
    compiled?.deallocate()
  }
}

// MARK: - One call

extension OverrideInvoker {
  /// Runs the call if it is for the override.
  func run(_ frame: FramePointer) -> Bool {
    override.admits(frame.pointee.selfRegister) && runAdmitted(frame)
  }

  func runAdmitted(_ frame: FramePointer) -> Bool {
    if ActiveCall.depth >= mostDepth { return declineNested(frame, .depth) }
    if let reason = Override.Bypass.ofStack {
      return ActiveCall.isIn(override) ? declineNested(frame, reason) : decline(reason)
    }
    let breadcrumb = wax_process_breadcrumb_enter(options.breadcrumb)
    defer { wax_process_breadcrumb_leave(breadcrumb) }
    if !wax_lua_enter_unless_abandoned(state.handle) { return decline(.stuck) }
    if override.isRemoved {  // while this thread waited
      wax_lua_leave(state.handle)
      return false
    }
    guard let coroutine = LuaCoroutine(state) else {
      wax_lua_leave(state.handle)
      override.fail(.noMemory(name))
      return false
    }
    var active = ActiveCall(override, plan, frame)
    active.record.coroutine = coroutine.raw
    return withUnsafeMutablePointer(to: &active) { active in
      ActiveCall.enter(active)
      override.countCall()
      push(frame, coroutine, active)
      return conclude(frame, coroutine, active) { () throws(LuaFailure) in
        try coroutine.call(reference)
      }
    }
  }

  /// Gives the results of the Lua function to the caller; if that fails, the call ends in another
  /// way. The coroutine is released, and the state left.
  /// - Parameter outcome: Gives the number of results.
  func conclude(
    _ frame: FramePointer, _ coroutine: LuaCoroutine,
    _ active: UnsafeMutablePointer<ActiveCall>,
    _ outcome: () throws(LuaFailure) -> Int
  ) -> Bool {
    var fault: OverrideFault?
    let handled = end(frame, coroutine, active, outcome, &fault)
    let mayKeep =
      plan.mayKeepReceiver && handled && !active.pointee.originalRan
      && !active.pointee.isEnding
    invalidateReceiver(coroutine)
    ActiveCall.leave(active)
    coroutine.release()
    if override.isOnce { PatchContext.context(of: state)?.overrides.settle(override) }
    wax_lua_leave(state.handle)
    active.pointee.forget()
    if let fault { override.fail(fault) }
    if mayKeep { override.noteKeptReceiver() }
    return handled
  }

  private func declineNested(_ frame: FramePointer, _ reason: Override.Bypass) -> Bool {
    // What only looks on is not what calls itself.
    options.purpose == .watch ? decline(reason) : endNested(frame, for: reason)
  }

  private func decline(_ reason: Override.Bypass) -> Bool {
    override.bypass(reason)
    return false
  }

  private func end(
    _ frame: FramePointer, _ coroutine: LuaCoroutine,
    _ active: UnsafeMutablePointer<ActiveCall>,
    _ outcome: () throws(LuaFailure) -> Int, _ fault: inout OverrideFault?
  ) -> Bool {
    do throws(LuaFailure) {
      let count = try outcome()
      if active.pointee.isEnding { throw .nested }
      try finish(frame, coroutine, count, active)
      if plan.ownsArguments { consumeArguments(frame) }
      return true
    } catch {
      if active.pointee.isEnding {
        return recover(fromNesting: error, frame, coroutine, active, &fault) { cancel(frame) }
      }
      return recover(from: error, frame, coroutine, active, &fault)
    }
  }

  /// Writes what the Lua function gets.
  @inline(__always)
  func push(
    _ frame: FramePointer, _ coroutine: LuaCoroutine,
    _ active: UnsafeMutablePointer<ActiveCall>
  ) {
    let buffer = coroutine.raw.pointer(to: \.buffer).unsafelyUnwrapped
    coroutine.raw.pointee.drops_proxies = wax_proxy_keeps_nothing(
      coroutine.raw.pointee.L, reference, override.keeping)
    if plan.objectReceiver != nil {
      wax_lua_buffer_add_pointer(
        buffer, WAX_LUA_VALUE_OBJECT, Self.pointer(frame.pointee.selfRegister))
    } else {
      pushReceiver(frame, coroutine)
    }
    let lends = lending.stands(coroutine, reference)
    if lends, lending.results { active.pointee.lendsResults = reference }
    pushArguments(frame, buffer, lends ? active : nil)
  }

  /// The index of the function's value that the first argument is; nil if that depends on the call.
  private var firstArgument: Int? {
    switch plan.receiver {
    case .object, .opaque, .anyObject, .value, .mutableValue: return 1
    case .captures: return 0
    case .none, .metatype, .uninitialized: break
    }
    if plan.initializedType != nil || classReference != nil { return 1 }
    if case .metatype = plan.receiver { return nil }
    return 0
  }

  // Nothing here goes through `LuaWriter`: a call across modules for each value is felt.
  private func pushArguments(
    _ frame: FramePointer, _ buffer: UnsafeMutablePointer<wax_lua_buffer>,
    _ lender: UnsafeMutablePointer<ActiveCall>?
  ) {
    for step in plan.steps {
      if let lender, lending.lends(step.index), lender.lend(step.index, buffer) { continue }
      guard let offset = step.offset else {
        push(plan.arguments[step.index], frame, LuaWriter(buffer))
        continue
      }
      let source = UnsafeRawPointer(frame) + offset
      if let plain = step.plain {
        plain.push(source, buffer)
      } else {
        step.codec.push(source, LuaWriter(buffer))
      }
    }
  }

  private func push(_ argument: CallPlan.Argument, _ frame: FramePointer, _ writer: LuaWriter) {
    argument.withValue(frame, scratchBytes: plan.scratchBytes) { argument.codec.push($0, writer) }
  }

  func pushReceiver(_ frame: FramePointer, _ coroutine: LuaCoroutine) {
    let writer = coroutine.writer
    switch plan.receiver {
    case .object: writer.object(Self.pointer(frame.pointee.selfRegister).unsafelyUnwrapped)
    case .captures: break
    case .none, .metatype, .uninitialized: pushTypeReceiver(frame, coroutine)
    case .opaque(let codec): codec.push(ValueBox.nowhere, writer)
    case .anyObject: writer.object(Self.pointer(frame.pointee.selfRegister).unsafelyUnwrapped)
    case .value(let argument): push(argument, frame, writer)
    case .mutableValue(let codec):
      coroutine.raw.pointee.keeps_receiver = true
      codec.push(Self.pointer(frame.pointee.selfRegister) ?? ValueBox.nowhere, writer)
    }
  }

  private func pushTypeReceiver(_ frame: FramePointer, _ coroutine: LuaCoroutine) {
    if plan.initializedType != nil {
      coroutine.raw.pointee.keeps_receiver = true
      coroutine.writer.proxy(
        WAX_PROXY_KIND_PENDING, Self.pointer(frame.pointee.selfRegister),
        type: initializedClass(frame))
    } else if case .metatype(let declared) = plan.receiver, let word = calledType(frame),
      word != TypeMetadata.pointer(to: declared)
    {
      pushTypeObject(of: word, coroutine)
    } else if let classReference {
      coroutine.writer.reference(classReference)
    }
  }

  /// The type that an initializer makes an instance of, which may be a subclass.
  private func initializedClass(_ frame: FramePointer) -> UnsafeRawPointer? {
    switch plan.receiver {
    case .uninitialized: Self.pointer(frame.pointee.selfRegister)?.load(as: UnsafeRawPointer.self)
    case .metatype: calledType(frame)
    default: plan.initializedType.map(TypeMetadata.pointer(to:))
    }
  }

  /// The type that a static method is called on, or a subclass.
  private func calledType(_ frame: FramePointer) -> UnsafeRawPointer? {
    UnsafeRawPointer(Self.pointer(frame.pointee.selfRegister))
  }

  /// A subclass's static members; a type that no name tells is its metatype.
  private func pushTypeObject(of type: UnsafeRawPointer, _ coroutine: LuaCoroutine) {
    if let typeObject = PatchContext.context(of: state)?.staticTypeObject(
      of: TypeMetadata.type(at: type))
    {
      coroutine.writer.reference(typeObject)
    } else {
      coroutine.writer.metatype(type)
    }
  }

  static func pointer(_ word: UInt64) -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: UInt(word))
  }

  /// Releases the values that the function took over from its caller and that the original was not
  /// given.
  func consumeArguments(_ frame: FramePointer) {
    for argument in plan.arguments where argument.isOwned { consume(argument, frame) }
    if !plan.consumesReceiver { return }
    if case .value(let receiver) = plan.receiver { consume(receiver, frame) }
    if plan.objectReceiver != nil, let object = Self.pointer(frame.pointee.selfRegister) {
      ObjectReference.release(object)
    }
  }

  private func consume(_ argument: CallPlan.Argument, _ frame: FramePointer) {
    argument.consume(frame, scratchBytes: plan.scratchBytes)
  }
}

// MARK: - The end of a call

extension OverrideInvoker {
  var name: String { override.functionName }

  /// Puts what the Lua function returned where the caller expects it.
  func finish(
    _ frame: FramePointer, _ coroutine: LuaCoroutine, _ count: Int,
    _ active: UnsafeMutablePointer<ActiveCall>
  ) throws(LuaFailure) {
    if coroutine.buffer.pointee.has_lent, !returnsLent(coroutine) { try coroutine.showResults() }
    if case .instance = plan.resultStrategy {
      let hasFailed = try failInitializer(frame, coroutine, count, active)
      if !hasFailed { try finishInitializer(frame, coroutine, count, active) }
      return try assignInouts(ofInitializer: frame, coroutine, count, active)
    }
    if plan.hasOpaque {
      if plan.makesOpaqueInstance {
        try finishInitializer(frame, coroutine, count, active)
        return try assignInouts(ofInitializer: frame, coroutine, count, active)
      }
      try checkTaken(active)
    }
    let base = UnsafeMutableRawPointer(frame)
    do throws(ConversionError) {
      switch plan.resultStrategy {
      case .nothing, .instance: break
      case .plain(let kind, let offset):
        if kind.read(wax_lua_coroutine_result(coroutine.raw), into: base + offset) { break }
        try convertResult(frame, coroutine, active)
      case .codec: try convertResult(frame, coroutine, active)
      case .general:
        let values = try InoutValues.read(
          plan.variables, after: plan.result, from: coroutine, count, required: plan.inouts.count,
          in: active)
        try convertResult(frame, coroutine, active)
        writeBack(frame, coroutine)
        guard let values else { break }
        if let left = active.pointee.takeInouts() { values.fill(from: left) }
        assign(values, frame)
      }
    } catch {
      throw wrongResult(error, count)
    }
  }

  /// Whether the lent values among the results have the expected types.
  private func returnsLent(_ coroutine: LuaCoroutine) -> Bool {
    var reader = coroutine.reader
    var expected: [ValueCodec?] = plan.variables.map(\.codec)
    if let result = plan.result {
      let isOne = result.resultCount == 1
      expected = (0..<result.resultCount).map { _ in isOne ? result : nil } + expected
    }
    for codec in expected {
      if let lent = LentValue(reader.peeked) {
        guard let codec, lent.fits(codec) else { return false }
      }
      reader.skip()
    }
    return true
  }

  func convertResult(
    _ frame: FramePointer, _ coroutine: LuaCoroutine, _ active: UnsafeMutablePointer<ActiveCall>
  ) throws(ConversionError) {
    guard let codec = plan.result else { return }
    var reader = coroutine.reader
    try plan.outcome.put(frame) { target throws(ConversionError) in
      if let lent = LentValue(reader.peeked) { return lent.copy(codec, to: target) }
      if codec.isRebuilt, active.copyUnchangedResult(codec, reader, to: target) {
        return
      }
      try codec.readResult(&reader, into: target)
      guard let selfResult = plan.selfResult else { return }
      do throws(ConversionError) {
        try selfResult.check(target, plan, frame)
      } catch {
        codec.destroy(target)
        throw error
      }
    }
  }

  func assign(_ values: InoutValues, _ frame: FramePointer) {
    values.exchange { argument in
      argument.location.memory(frame) ?? ValueBox.nowhere
    }
  }

  func wrongResult(_ error: ConversionError, _ count: Int) -> LuaFailure {
    let what = count == 0 ? "nothing" : "a wrong value"
    let remedy =
      error.isOfAny
      ? "; where a Lua function made it, name the type that this one returns after the arguments, as in "
        + "`map(f, String)`" : ""
    return LuaFailure(
      kind: .fault,
      message: "\(place): the override of \(name) returned \(what): \(error)\(remedy)",
      rawMessage: "", frames: [], swiftError: nil)
  }

  /// The changed copy of a struct or enum goes back to where it came from; if it is the same to the
  /// byte it does not: the memory may be a constant's.
  func writeBack(_ frame: FramePointer, _ coroutine: LuaCoroutine) {
    guard case .mutableValue(let codec) = plan.receiver,
      let receiver = coroutine.raw.pointee.receiver?.pointee,
      receiver.kind == WAX_PROXY_KIND_VALUE.rawValue, let box = receiver.pointer,
      let target = Self.pointer(frame.pointee.selfRegister), !codec.isSame(box, target)
    else { return }
    codec.destroy(target)
    codec.copy(box, to: target)
  }

  /// Fails a call that has not called the original although the original consumes an opaque
  /// argument: only the original can release that value.
  func checkTaken(
    _ active: UnsafeMutablePointer<ActiveCall>
  ) throws(LuaFailure) {
    guard !active.pointee.originalRan,
      let taken = plan.arguments.first(where: { $0.isOwned && $0.codec is OpaqueCodec })
    else { return }
    throw LuaFailure(
      kind: .fault,
      message: "\(place): the override of \(name) did not call the original, which consumes "
        + "\(taken.name), an opaque value",
      rawMessage: "", frames: [], swiftError: nil)
  }

  /// Gives the result or the error of the original to the caller.
  func returnOutcomeOfOriginal(
    _ frame: FramePointer, _ active: UnsafeMutablePointer<ActiveCall>
  ) {
    if let error = active.pointee.takeError() {
      _ = plan.outcome.setError(error, frame)  // it threw it: it can
      return
    }
    active.pointee.takeResult { result in
      guard let result, let codec = plan.result else { return }
      plan.outcome.move(result, codec, frame)
    }
  }

  /// The end of a call that Lua does not go on with.
  /// - Returns: False: the original is to run; it has not yet.
  func endWithoutLua(
    _ frame: FramePointer, _ active: UnsafeMutablePointer<ActiveCall>
  ) -> Bool {
    guard active.pointee.originalRan else { return false }
    if let inouts = active.pointee.takeInouts() { assign(inouts, frame) }
    consumeArguments(frame)
    returnOutcomeOfOriginal(frame, active)
    return true
  }

  /// An instance that was never initialized must not be reached from Lua after the call.
  func invalidateReceiver(_ coroutine: LuaCoroutine) {
    guard let receiver = coroutine.raw.pointee.receiver,
      receiver.pointee.kind == WAX_PROXY_KIND_PENDING.rawValue
    else { return }
    receiver.pointee.kind = 0
  }

  /// Decides between throwing, what the original did if it has run, and letting it run.
  func recover(
    from failure: LuaFailure, _ frame: FramePointer, _ coroutine: LuaCoroutine,
    _ active: UnsafeMutablePointer<ActiveCall>, _ fault: inout OverrideFault?
  ) -> Bool {
    let originalThrew = active.pointee.originalHasThrown
    if let error = plan.errorToThrow(failure, options, originalThrew: originalThrew),
      error is OpaqueError || !active.pointee.originalThrewOpaque,
      plan.outcome.setError(error, frame)
    {
      // What the original has made of the caller's variables stays, as in Swift.
      writeBack(frame, coroutine)
      if let inouts = active.pointee.takeInouts() { assign(inouts, frame) }
      consumeArguments(frame)
      return true
    }
    fault = OverrideFault(
      function: name,
      message: failure.message + plan.wrongError(failure, options) + plan.remedy(failure),
      frames: failure.frames, position: failure.position ?? declaredAt)
    if !active.pointee.originalRan, returnMadeObject(frame, coroutine) {
      consumeArguments(frame)
      return true
    }
    guard active.pointee.originalRan else {
      // The original is to make an object, and another initializer has freed that.
      if isConsumed(coroutine), let type = uninitialized(coroutine)?.pointee.type {
        frame.pointee.selfRegister = UInt64(UInt(bitPattern: Instance.allocate(type)))
      }
      return false
    }
    writeBack(frame, coroutine)
    if let inouts = active.pointee.takeInouts() { assign(inouts, frame) }
    consumeArguments(frame)
    returnOutcomeOfOriginal(frame, active)
    return true
  }

  var place: String {
    declaredAt.map { "\($0.source):\($0.line ?? 0)" } ?? "patch"
  }
}

extension OverrideFault {
  static func noMemory(_ function: String) -> OverrideFault {
    OverrideFault(
      function: function, message: LuaFailure.noMemory.message, frames: [], position: nil)
  }
}
