// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import CWaxwingProcess
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingValues

/// A Swift function value that Lua holds as a function.
///
/// An escaping one is kept alive as long as Lua reaches the function. One that does not escape has
/// its context on the stack of who made it: it can be called while the call lasts that brought it
/// to Lua, and on that call's thread.
final class SwiftClosure {
  /// The part that C reads, as the first field of the object.
  private let shared: wax_call_closure

  let plan: ClosurePlan

  /// - Parameters:
  ///   - value: Borrowed.
  ///   - staysOnThread: What it is passed to ends on the thread on which it has begun.
  init(_ value: FunctionValue, _ plan: ClosurePlan, staysOnThread: Bool = true) {
    shared = wax_call_closure(
      direct: plan.direct, code: value.code, context: value.context,
      thread: plan.isEscaping || !staysOnThread ? 0 : wax_process_current_thread())
    self.plan = plan
    if plan.isEscaping { value.retain() }
  }

  deinit {
    if plan.isEscaping { value.release() }
  }

  var value: FunctionValue {
    FunctionValue(code: shared.code.unsafelyUnwrapped, context: shared.context)
  }

  /// The callback of all Lua functions that stand for Swift closures: (proxy, arguments …).
  static func run(_ call: inout LuaCall, in state: LuaState) throws(LuaRaise) {
    var reader = call.arguments
    let proxy = reader.read().pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    guard wax_proxy_is_closure(proxy.kind), let pointer = proxy.pointer else {
      throw .message(
        "the closure does not escape; it can only be called while the function runs")
    }
    // The proxy keeps it: it is an argument, and so on Lua's stack.
    let closure = Unmanaged<SwiftClosure>.fromOpaque(pointer).takeUnretainedValue()
    try closure.run(&call, reader, state)
  }

  private func run(
    _ call: inout LuaCall, _ reader: LuaReader, _ state: LuaState
  ) throws(LuaRaise) {
    if state.refusesEffects {
      throw .message(state.refusal(of: "it would call a closure"))
    }
    if shared.thread != 0, shared.thread != wax_process_current_thread() {
      throw .message("the closure does not escape; it can only be called on its own thread")
    }
    let count = call.argumentCount - 1
    if count > plan.arguments.count {
      throw .message(
        "a closure \(plan.typeName) takes \(plan.arguments.count) "
          + "argument\(plan.arguments.count == 1 ? "" : "s"), got \(count)")
    }
    if plan.isAsync { return try ClosureWait.begin(self, &call, reader) }
    var failure: LuaRaise?
    Invocation.withFrame(scratch: plan.callBytes, stackBytes: plan.stackBytes) { frame, scratch in
      do throws(LuaRaise) {
        try run(&call, reader, state, frame, scratch)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private func run(
    _ call: inout LuaCall, _ reader: LuaReader, _ state: LuaState,
    _ frame: FramePointer, _ scratch: UnsafeMutableRawPointer
  ) throws(LuaRaise) {
    try place(reader, frame, scratch)
    state.suspended { Invocation.call(value.code, frame, stackBytes: plan.stackBytes) }
    try complete(&call, frame, scratch)
  }

  /// Puts everything where the closure expects it.
  func place(
    _ reader: LuaReader, _ frame: FramePointer,
    _ scratch: UnsafeMutableRawPointer
  ) throws(LuaRaise) {
    var reader = reader
    frame.pointee.selfRegister = UInt64(UInt(bitPattern: value.context))
    try placeArguments(&reader, frame, scratch)
    plan.outcome.prepare(frame, scratch: scratch)
    plan.resultAddress?.passResultAddress(frame)
  }

  /// Gives Lua the result or the error of the closure.
  func complete(
    _ call: inout LuaCall, _ frame: FramePointer,
    _ scratch: UnsafeMutableRawPointer
  ) throws(LuaRaise) {
    defer { destroyArguments(plan.steps.count, frame, scratch, onlyBorrowed: true) }
    if frame.pointee.thrownError != 0 {
      throw .error(plan.outcome.takeError(frame, scratch: scratch))
    }
    returnResult(&call, frame, scratch)
  }

  private func placeArguments(
    _ reader: inout LuaReader, _ frame: FramePointer,
    _ scratch: UnsafeMutableRawPointer
  ) throws(LuaRaise) {
    for step in plan.steps {
      let place = step.place(UnsafeMutableRawPointer(frame), scratch: scratch)
      if let plain = step.plain, plain.read(reader.peeked, into: place) {
        _ = reader.read()
      } else {
        try convert(step, &reader, frame, scratch)
      }
      if step.offset == nil {
        let argument = plan.arguments[step.index]
        argument.location.scatter(place, size: argument.codec.size, frame)
      }
      if plan.isCFunction { CFunction.widen(plan.arguments[step.index], frame) }
    }
  }

  private func convert(
    _ step: CallStep, _ reader: inout LuaReader,
    _ frame: FramePointer, _ scratch: UnsafeMutableRawPointer
  ) throws(LuaRaise) {
    do throws(ConversionError) {
      try step.codec.read(
        &reader, into: step.place(UnsafeMutableRawPointer(frame), scratch: scratch))
    } catch {
      destroyArguments(step.index, frame, scratch, onlyBorrowed: false)
      throw .message(
        "\(plan.arguments[step.index].name) of a closure \(plan.typeName): \(error)")
    }
  }

  /// Destroys the arguments and the outcome of a call whose outcome nobody takes.
  func forget(
    _ frame: FramePointer, _ scratch: UnsafeMutableRawPointer,
    wasCalled: Bool, hasReturned: Bool
  ) {
    destroyArguments(plan.steps.count, frame, scratch, onlyBorrowed: wasCalled)
    guard hasReturned else { return }
    if frame.pointee.thrownError != 0 {
      _ = plan.outcome.takeError(frame, scratch: scratch)
    } else if let codec = plan.result {
      codec.destroy(plan.outcome.collect(codec, frame, scratch: scratch))
    }
  }

  /// Destroys arguments, except those that the closure took over.
  private func destroyArguments(
    _ count: Int, _ frame: FramePointer, _ scratch: UnsafeMutableRawPointer,
    onlyBorrowed: Bool
  ) {
    for step in plan.steps.prefix(count) {
      if let plain = step.plain, plain.isTrivial { continue }
      if onlyBorrowed && step.isOwned { continue }
      step.codec.destroy(step.place(UnsafeMutableRawPointer(frame), scratch: scratch))
    }
  }

  /// Returns the result, and after it the new values of the `inout` arguments.
  private func returnResult(
    _ call: inout LuaCall, _ frame: FramePointer,
    _ scratch: UnsafeMutableRawPointer
  ) {
    var result: UnsafeMutableRawPointer?
    if let codec = plan.result {
      let place = plan.outcome.collect(codec, frame, scratch: scratch)
      if let plain = codec.plain {
        plain.push(place, call.writer.buffer)
      } else {
        codec.pushResult(place, call.writer)
      }
      result = place
    }
    if !plan.inouts.isEmpty {
      for step in plan.steps where plan.arguments[step.index].isInout {
        step.codec.push(step.place(UnsafeMutableRawPointer(frame), scratch: scratch), call.writer)
      }
    }
    let isTrivial = plan.result.map { $0.plain?.isTrivial == true } ?? true
    if isTrivial && plan.inouts.isEmpty { return }
    // Lua does not hold it before it is pushed, and may be the only one that will.
    wax_lua_push_call_results(call.raw)
    if !isTrivial, let result { plan.result?.destroy(result) }
  }
}
