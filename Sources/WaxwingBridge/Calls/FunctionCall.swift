// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingDeclarations
internal import WaxwingInterception
package import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// A Swift function as Lua code calls it: `account:audit()`, `self:ORIGdeposit(n)`.
///
/// A call has four stages, each a type of its own that is made once for all calls. Between them the
/// values are in a `CallMemory`.
package final class FunctionCall: LuaCallable {
  let plan: CallPlan
  let target: CallTarget
  let state: LuaState

  private let receiver: ReceiverPlacement
  private let arguments: ArgumentPlacement
  private let invoker: FunctionInvoker
  private let completion: CallCompletion

  /// The reason why the state's scripts must not call the function; nil if they may.
  let refusal: String?

  /// Whether what a class of Lua's has in its vtable is called, as anywhere but on `super`. Used by
  /// the thread that has entered the state.
  package var isVirtual = true
  private var compiled: UnsafeMutablePointer<wax_call_direct>??
  /// Whether there are default values that only the source tells. Used by the thread that has entered the
  /// state.
  private(set) lazy var hasWrittenDefaults = plan.defaults.areWritten
  /// The type objects of the types that such default values are members of, by the argument's index. Used by
  /// the thread that has entered the state.
  var defaultOwners: [Int: Int32] = [:]

  /// - Parameters:
  ///   - hasReceiver: What a member is called on comes before its arguments; not so with operators.
  ///   - metatype: The class that a class method or initializer was looked up on; nil: the one that
  ///     declares it.
  init(
    _ plan: CallPlan, _ target: CallTarget, in state: LuaState, hasReceiver: Bool = true,
    on metatype: (any Any.Type)? = nil
  ) {
    self.plan = plan
    self.target = target
    self.state = state
    let takesReceiver = hasReceiver && plan.function.declaration.contextType != nil
    receiver = ReceiverPlacement(
      plan: plan, target: target, isTaken: takesReceiver, metatype: metatype)
    arguments = ArgumentPlacement(plan: plan, target: target)
    invoker = FunctionInvoker(plan, target, in: state)
    completion = CallCompletion(
      plan: plan, state: state, isCurrent: !target.isOriginal, takesReceiver: takesReceiver)
    refusal = state.refusesEffects ? RefusedEffect.message(ofCalling: plan, target) : nil
  }

  deinit {
    if let compiled { wax_call_direct.deallocate(compiled) }
  }

  /// The call in a form that C runs; nil: it takes Swift. Used by the thread that has entered the
  /// state.
  var direct: UnsafeMutablePointer<wax_call_direct>? {
    if let compiled { return compiled }
    let made = compile()
    compiled = .some(made)
    return made
  }

  var name: String { plan.function.displayedName }

  /// Lua passes `self`, or the class, before the arguments.
  var takesReceiver: Bool { receiver.isTaken }

  /// A class of Lua's that overrides the function does so in its vtable.
  var isOverriddenInVtable: Bool { invoker.isOverriddenInVtable }

  // MARK: Calls from Lua

  /// Runs one call from Lua. The state is entered before and after, and left while Swift runs.
  package func run(_ call: inout LuaCall) throws(LuaRaise) {
    try checkCount(call.argumentCount)
    try run(&call, .call)
  }

  /// Runs a getter, which Lua calls as (self, name).
  package func runOnReceiver(_ call: inout LuaCall) throws(LuaRaise) {
    try run(&call, .getting)
  }

  /// Runs a setter, which Lua calls as (self, name, value).
  package func runSkippingName(_ call: inout LuaCall) throws(LuaRaise) {
    try run(&call, .setting)
  }

  enum Form {
    case call
    /// The call gets a property, which is one value in Lua even if it is a tuple.
    case getting
    /// The call sets a property, whose name comes before the value.
    case setting
  }

  /// Runs the function with arguments that are not consecutive in the call.
  func run(_ call: inout LuaCall, _ arguments: BoundArguments) throws(LuaRaise) {
    try run(&call, .call, arguments)
  }

  private func run(
    _ call: inout LuaCall, _ form: Form, _ bound: BoundArguments? = nil
  ) throws(LuaRaise) {
    if let refusal { throw .message(state.refusal(of: refusal)) }
    if call.hasLent, !takesLent(call, form, bound) { throw call.repeated() }
    if plan.isAsync { return try FunctionWait.begin(self, &call, form, bound) }
    if case .receiver = plan.isolation, let actor = foreignActor(call) {
      return try FunctionWait.begin(self, &call, form, bound, on: actor)
    }
    var failure: LuaRaise?
    Invocation.withFrame(scratch: plan.callBytes, stackBytes: plan.stackBytes) { frame, scratch in
      do throws(LuaRaise) {
        try run(&call, form, bound, CallMemory(frame, scratch))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// The actor that it is called on, if this thread is not on it.
  private func foreignActor(_ call: LuaCall) -> ExecutorReference? {
    let receiver = call.arguments.peeked
    guard case .current = target, receiver.tag == WAX_LUA_VALUE_OBJECT.rawValue,
      let object = receiver.pointer,
      let actor = FunctionIsolation.executor(
        ofActor: Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()),
      !actor.isCurrent
    else { return nil }
    return actor
  }

  /// Whether the lent values among the arguments can be passed as they are.
  private func takesLent(_ call: LuaCall, _ form: Form, _ bound: BoundArguments?) -> Bool {
    guard target.isOriginal, form == .call, bound == nil else { return false }
    var reader = call.arguments
    if takesReceiver {
      if LentValue(reader.peeked) != nil { return false }
      reader.skip()
    }
    for step in plan.steps {
      if let lent = LentValue(reader.peeked) {
        guard step.codec._withUnsafeGuaranteedRef({ lent.fits($0) }) else { return false }
      } else if step.isVariadic {
        return false
      }
      reader.skip()
    }
    return LentValue(reader.peeked) == nil
  }

  private func checkCount(_ count: Int) throws(LuaRaise) {
    // An override of a `didSet` may pass the old value on though the program does not use it.
    let extra = plan.function.declaration.ignoresOldValue ? 1 : 0
    let expected = plan.arguments.count + (takesReceiver ? 1 : 0) + extra
    if takesReceiver, count == 0 {
      throw .message("\(name) is a method: call it with `:`")
    }
    if count > expected, !plan.isVariadic {
      throw .message(
        "\(name) takes \(plan.arguments.count) argument\(plan.arguments.count == 1 ? "" : "s"), "
          + "got \(count - expected + plan.arguments.count)")
    }
  }

  // MARK: The stages of one call

  private func run(
    _ call: inout LuaCall, _ form: Form, _ bound: BoundArguments?, _ memory: CallMemory
  ) throws(LuaRaise) {
    let values = try place(&call, form, bound, memory)
    let active = target.active(ofCallOn: memory.frame, plan)
    let isOwn = active?.pointee.isOn(memory.frame.pointee.selfRegister, plan) ?? false
    makeObject(memory.frame)
    invoker.invoke(memory, values.placed.omitted, active, isVirtual: isVirtual)
    if memory.frame.wasCancelled { throw cancel(call, values, memory) }
    try complete(call, form, values, memory, isOwn ? active : nil)
  }

  /// Makes the object that an initializer initializes, if Lua passes none. Until the call nothing else frees it.
  func makeObject(_ frame: FramePointer) { receiver.makeObject(frame) }

  /// The values in a call's memory besides its arguments.
  struct Values {
    /// The copy that it is called on, if it is one.
    let copy: ReceiverCopy?
    let watch: ReceiverWatch?
    let placed: ArgumentPlacement.Placed
    /// The override's call whose variables it has; nil: it has none.
    let lender: UnsafeMutablePointer<ActiveCall>?
  }

  private var isOnVariable: Bool {
    if case .mutableValue = plan.receiver { true } else { false }
  }

  /// The override's call of which this is one of the original, if that may have its caller's variables: no
  /// other code can get at them meanwhile.
  private func lender(_ frame: FramePointer) -> UnsafeMutablePointer<ActiveCall>? {
    guard !plan.variables.isEmpty || isOnVariable,
      let active = target.active(ofCallOn: frame, plan),
      active == ActiveCall.innermost, active.pointee.plan === plan,
      !active.pointee.lendsVariables, !plan.isAsync || wax_proxy_call_keeps_nothing()
    else { return nil }
    return active
  }

  /// Puts the receiver and the arguments where the function expects them.
  func place(
    _ call: inout LuaCall, _ form: Form, _ bound: BoundArguments?, _ memory: CallMemory
  ) throws(LuaRaise) -> Values {
    if plan.hasOpaque { try plan.takeRegisters(of: target.active, memory.frame) }
    var reader = call.arguments
    let passed = takesReceiver ? reader.read() : wax_lua_value()
    if takesReceiver,
      passed.tag == WAX_LUA_VALUE_ARRAY.rawValue || passed.tag == WAX_LUA_VALUE_TABLE.rawValue
    {
      reader = call.arguments
      reader.skip()
    }
    if form == .setting { reader.skip() }
    let lender = lender(memory.frame)
    let copy = try receiver.place(passed, call.arguments, memory, lender)
    let placed: ArgumentPlacement.Placed
    do throws(LuaRaise) {
      placed =
        if let bound { try arguments.place(call, bound, memory) } else {
          try arguments.place(call, &reader, memory, lender)
        }
    } catch {
      copy?.end(wasPassed: false)
      throw error
    }
    plan.prepare(memory.frame, scratch: memory.scratch)
    if plan.consumesReceiver, plan.objectReceiver != nil,
      let object = UnsafeMutableRawPointer(bitPattern: UInt(memory.frame.pointee.selfRegister))
    {
      ObjectReference.retain(object)
    }
    let lends = copy?.isVariable == true || !placed.variables.isEmpty
    if lends { lender?.pointee.lendsVariables = true }
    return Values(
      copy: copy, watch: ReceiverWatch(plan, call, passed), placed: placed,
      lender: lends ? lender : nil)
  }

  /// The address of the code to call for the receiver in the frame.
  func code(_ frame: FramePointer) -> UnsafeRawPointer? {
    invoker.code(frame, isVirtual: isVirtual)
  }

  /// Gives Lua what the function has returned or thrown. The state is entered.
  func complete(
    _ call: LuaCall, _ form: Form, _ values: Values, _ memory: CallMemory,
    _ active: UnsafeMutablePointer<ActiveCall>?
  ) throws(LuaRaise) {
    try completion.complete(call, form, values, memory, active)
  }

  /// Ends the call in place of `complete` if the function has left nothing behind, because the Lua
  /// code has been stopped.
  func cancel(_ call: LuaCall, _ values: Values, _ memory: CallMemory) -> LuaRaise {
    completion.cancel(call, values, memory)
  }

  /// The error in a frame, which is the caller's now.
  func takeError(
    _ memory: CallMemory, _ active: UnsafeMutablePointer<ActiveCall>?
  ) -> any Error {
    completion.takeError(memory, active)
  }
}
