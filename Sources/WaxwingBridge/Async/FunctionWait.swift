// SPDX-License-Identifier: MIT

internal import CWaxwingProcess
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingValues

/// A call by Lua code of a Swift function that is async, or on an actor that the caller is not on.
/// Unchecked: as `Wait`.
final class FunctionWait: Wait, @unchecked Sendable {
  private enum Phase {
    case new
    /// The function, which is not async, runs on its actor.
    case onActor
    /// Through the overrides below one of the script's, to the program's code.
    case originalCalled
    /// Called, or back from the actor.
    case called
    case over
  }

  private let call: FunctionCall
  private let form: FunctionCall.Form
  /// The frame, the suspension, and the room for values.
  private let memory: WaitMemory
  private var values: FunctionCall.Values?
  private var phase = Phase.new
  private let actor: ExecutorReference?
  /// Where Lua goes on.
  private var home = ExecutorReference.generic
  /// The override's call of whose original this is the call; nil if this calls no original.
  private let active: UnsafeMutablePointer<ActiveCall>?
  private var isOwn = false
  /// The object that it is called on.
  private var receiver: UnsafeMutableRawPointer?
  private var outcomeIsTaken = false
  /// How the original is called.
  private var original: AwaitedOriginal?
  /// While the original runs, on whatever threads.
  private var breadcrumb = wax_process_breadcrumb()

  /// Lets the Lua code that calls wait for the function.
  /// - Parameter actor: Where the function runs, if it is not async.
  static func begin(
    _ call: FunctionCall, _ luaCall: inout LuaCall, _ form: FunctionCall.Form,
    _ bound: BoundArguments?, on actor: ExecutorReference? = nil
  ) throws(LuaRaise) {
    guard luaCall.mayWait else {
      throw .message(
        "\(call.name) \(actor == nil ? "is async" : "belongs to an actor"), and code cannot wait "
          + "here: call it in task(function() ... end), or in an override of an async function")
    }
    if case .current = call.target, Task.isCancelled { throw .error(CancellationError()) }
    let wait = FunctionWait(call, form, actor)
    wait.values = try call.place(&luaCall, form, bound, CallMemory(wait.memory))
    wait.keepReceiver()
    wait.isOwn =
      wait.active?.pointee.isOn(wait.memory.frame.pointee.selfRegister, call.plan) ?? false
    call.plan.passCallerActor(wait.active?.pointee.callerActor ?? (0, 0), wait.memory.frame)
    wait.begin(&luaCall)
  }

  private init(
    _ call: FunctionCall, _ form: FunctionCall.Form, _ actor: ExecutorReference?
  ) {
    self.call = call
    self.actor = actor
    self.form = form
    memory = WaitMemory(scratch: call.plan.callBytes, stack: call.plan.stackBytes)
    active = call.target.active
    super.init()
  }

  deinit {
    endBreadcrumb()
    if let receiver { ObjectReference.release(receiver) }
    guard let values else { return }
    // It was begun, and nobody took what came of it.
    values.watch?.forget()
    values.copy?.end(wasPassed: phase != .new)
    CallMemory(memory).destroyArguments(
      call.plan.steps.count, call.plan, onlyBorrowed: phase != .new,
      except: phase == .new ? values.placed.absent : values.placed.variables.indices)
    if phase == .over, !outcomeIsTaken, !memory.frame.wasCancelled {
      call.plan.forgetOutcome(memory.frame, scratch: memory.scratch)
    }
  }

  /// The script may be gone before the function returns.
  private func keepReceiver() {
    guard call.plan.objectReceiver != nil,
      let object = UnsafeMutableRawPointer(bitPattern: UInt(memory.frame.pointee.selfRegister))
    else { return }
    ObjectReference.retain(object)
    receiver = object
  }

  // MARK: The call

  override func next() -> UnsafePointer<Suspension>? {
    switch phase {
    case .new:
      memory.frame.allowCancel()
      let omitted = values?.placed.omitted ?? []
      if !omitted.isEmpty { CallMemory(memory).makeDefaults(omitted, call.plan) }
      call.makeObject(memory.frame)
      if let original = awaitedOriginal() {
        self.original = original
        phase = .originalCalled
        if let active {
          breadcrumb = wax_process_breadcrumb_begin(active.pointee.running.options.breadcrumb)
        }
        return original.suspension
      }
      if let actor {
        home = .current
        phase = .onActor
        return hop(to: actor)
      }
      return callFunction()
    case .onActor:
      Invocation.call(call.code(memory.frame), memory.frame, stackBytes: call.plan.stackBytes)
      phase = .called
      return hop(to: home)
    case .originalCalled:
      endBreadcrumb()
      if original?.wasRemoved == true { return callFunction() }
      return end()
    case .called, .over: return end()
    }
  }

  private func callFunction() -> UnsafePointer<Suspension>? {
    phase = .called
    memory.suspension.initialize(
      to: .call(call.code(memory.frame), memory.frame, stackBytes: call.plan.stackBytes))
    return UnsafePointer(memory.suspension)
  }

  private func hop(to executor: ExecutorReference) -> UnsafePointer<Suspension> {
    memory.suspension.initialize(to: .hop(to: executor))
    return UnsafePointer(memory.suspension)
  }

  private func endBreadcrumb() {
    wax_process_breadcrumb_end(breadcrumb)
    breadcrumb = wax_process_breadcrumb()
  }

  private func end() -> UnsafePointer<Suspension>? {
    phase = .over
    if call.plan.isAsync { call.plan.checkError(memory.frame) }
    return nil
  }

  private func awaitedOriginal() -> AwaitedOriginal? {
    guard case .original(let point) = call.target else { return nil }
    if let layer = active?.pointee.layer {
      return AwaitedOriginal(layer, memory.frame, in: active)
    }
    guard let override = point.oldest, let layer = override.layer else { return nil }
    return AwaitedOriginal(layer, memory.frame, in: nil, ifInstalled: true)
  }

  /// Settles the call of a script that has ended: the outcome of the original is kept although Lua
  /// did not see it.
  override func settle() {
    guard phase == .over, !memory.frame.wasCancelled, let values, let active = ownCall
    else { return }
    values.lender?.pointee.lendsVariables = false
    let plan = call.plan
    if !plan.variables.isEmpty {
      active.pointee.saveInouts(
        CallMemory(memory).variablePlaces(plan, values), plan.variables)
    }
    if memory.frame.pointee.thrownError != 0 {
      active.pointee.originalThrew(
        plan.outcome.takeError(memory.frame, scratch: memory.scratch, plan))
    } else {
      let result = plan.result.map {
        plan.outcome.collect($0, memory.frame, scratch: memory.scratch)
      }
      active.pointee.originalReturned(result, plan.result)
    }
    outcomeIsTaken = true
  }

  override func finish(_ luaCall: inout LuaCall) throws(LuaRaise) {
    guard let values else { return }
    self.values = nil
    if memory.frame.wasCancelled { throw call.cancel(luaCall, values, CallMemory(memory)) }
    try call.complete(luaCall, form, values, CallMemory(memory), ownCall)
  }

  /// The call that this one's outcome is that of: the original may be called on other objects as well.
  private var ownCall: UnsafeMutablePointer<ActiveCall>? { isOwn ? active : nil }
}
