// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingValues

/// The call in a form that C runs without asking Swift: see wax_call_override.h.
extension OverrideInvoker {
  /// - Returns: nil: some of it takes Swift.
  func compile() -> UnsafeMutablePointer<wax_call_override>? {
    if wax_call_takes_long_way() || plan.hasOpaque || plan.selfResult != nil { return nil }
    if plan.isAsync && !runsWhereItIsCalled { return nil }
    guard plan.variables.isEmpty, plan.inouts.isEmpty, options.depth > 0,
      plan.steps.count <= Int(WAX_CALL_MAX_STEPS), let result = plan.compiledResult
    else { return nil }
    var override = wax_call_override()
    if !compileReceiver(&override) { return nil }
    override.result = wax_call_result(result, plan.result)
    if !override.arguments.add(plan.steps) { return nil }
    if plan.consumesReceiver { override.arguments.are_owned = true }
    lend(&override)
    describe(&override)
    return Self.copy(override)
  }

  /// Strings alone, and objects that are results of none.
  private func lend(_ compiled: inout wax_call_override) {
    compiled.lends_results = lending.results
    compiled.globals = lending.globals
    for step in plan.steps where lending.lends(step.index) {
      compiled.arguments.lent_steps |= 1 << UInt16(step.index)
      compiled.arguments.string_codec = UnsafeRawPointer(step.codec.toOpaque())
    }
  }

  private static let stepsOffset: Int = {
    // Never nil: they are C structures.
    MemoryLayout<wax_call_override>.offset(of: \.arguments).unsafelyUnwrapped
      + MemoryLayout<wax_call_arguments>.offset(of: \.steps).unsafelyUnwrapped
  }()

  /// Copies an override with room for the steps that it has and no more.
  private static func copy(_ override: wax_call_override) -> UnsafeMutablePointer<wax_call_override>
  {
    let size = stepsOffset + Int(override.arguments.count) * MemoryLayout<wax_call_step>.stride
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: MemoryLayout<wax_call_override>.alignment)
    withUnsafeBytes(of: override) {
      memory.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: size)
    }
    return memory.assumingMemoryBound(to: wax_call_override.self)
  }

  /// Whether an async function runs where it is called: it belongs to no actor, and its first turn
  /// needs no further information.
  private var runsWhereItIsCalled: Bool {
    guard case .none = plan.isolation else { return false }
    return plan.callerActor.isEmpty && plan.resultAddress == nil
  }

  private func compileReceiver(_ compiled: inout wax_call_override) -> Bool {
    switch plan.receiver {
    case .object where plan.objectReceiver != nil: compiled.arguments.has_receiver = true
    case .none where plan.initializedType == nil:
      compiled.arguments.class_reference = classReference ?? 0
    case .metatype(let type) where plan.initializedType == nil && classReference != nil:
      compiled.arguments.class_reference = classReference ?? 0
      compiled.metatype = TypeMetadata.pointer(to: type)
    default: return false
    }
    return true
  }

  /// Sets the fields that say whose call this is, and where it goes if it is not an ordinary one.
  private func describe(_ compiled: inout wax_call_override) {
    compiled.state = state.handle
    compiled.gate = override.gate
    compiled.reference = reference
    compiled.keep(as: override.keeping)
    compiled.depth = Int32(mostDepth)
    compiled.breadcrumb = options.breadcrumb
    compiled.override = UnsafeRawPointer(Unmanaged.passUnretained(override).toOpaque())
    compiled.point = override.point
    compiled.plan = UnsafeRawPointer(Unmanaged.passUnretained(plan).toOpaque())
    compiled.context = Unmanaged.passUnretained(self).toOpaque()
    compiled.long_way = Self.longWay
    compiled.waiting = activities?.waitingCalls
  }

  /// The functions that C calls for calls that are not direct. They are never freed, as calls may
  /// come at any time. Unchecked: never changed.
  nonisolated(unsafe) private static let longWay = {
    let way = UnsafeMutablePointer<wax_call_long_way>.allocate(capacity: 1)
    way.initialize(
      to: wax_call_long_way(
        run: Override.plainHandler, conclude: concludeCompiled, step: Override.plainAsyncHandler,
        adopt: adoptCompiled, abandon: abandonCompiled, forget: forgetCompiled))
    return UnsafePointer(way)
  }()

  private static let concludeCompiled:
    @convention(c) (
      UnsafeMutableRawPointer?, FramePointer?,
      UnsafeMutablePointer<wax_lua_coroutine>?, UnsafeMutablePointer<wax_call_active>?, Int32, Int32
    ) -> Bool = { context, frame, coroutine, record, status, first in
      guard let context, let frame, let coroutine, let record else { return false }
      let active = UnsafeMutableRawPointer(record).assumingMemoryBound(to: ActiveCall.self)
      let taken = LuaCoroutine(taken: coroutine)
      return Unmanaged<OverrideInvoker>.fromOpaque(context)._withUnsafeGuaranteedRef { invoker in
        invoker.conclude(frame, taken, active) { () throws(LuaFailure) in
          try taken.outcome(status, first)
        }
      }
    }

  private static let adoptCompiled:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutablePointer<AsyncCall>?,
      UnsafeMutablePointer<wax_lua_coroutine>?, UnsafeMutablePointer<wax_call_active>?,
      UnsafeMutablePointer<wax_call_active>?, Int32, UnsafeMutablePointer<wax_lua_callback>?
    ) -> UnsafePointer<Suspension>? = {
      context, asyncCall, coroutine, record, outer, status, waits in
      guard let context, let asyncCall, let coroutine, let record else { return nil }
      let active = UnsafeMutableRawPointer(record).assumingMemoryBound(to: ActiveCall.self)
      return Unmanaged<OverrideInvoker>.fromOpaque(context)._withUnsafeGuaranteedRef { invoker in
        invoker.adopt(asyncCall, LuaCoroutine(taken: coroutine), active, status, waits, outer)
      }
    }

  private static let abandonCompiled:
    @convention(c) (
      UnsafeMutableRawPointer?, FramePointer?,
      UnsafeMutablePointer<wax_call_active>?, FramePointer?
    ) -> Bool = { context, frame, record, outcome in
      guard let context, let frame, let record else { return false }
      let active = UnsafeMutableRawPointer(record).assumingMemoryBound(to: ActiveCall.self)
      return Unmanaged<OverrideInvoker>.fromOpaque(context)._withUnsafeGuaranteedRef { invoker in
        if let outcome { active.pointee.settle(outcome, invoker.plan) }
        return invoker.endWithoutLua(frame, active)
      }
    }

  private static let forgetCompiled:
    @convention(c) (UnsafeMutablePointer<wax_call_active>?) -> Void = { record in
      guard let record else { return }
      UnsafeMutableRawPointer(record).assumingMemoryBound(to: ActiveCall.self).pointee.forget()
    }
}

extension wax_call_override {
  /// Objects die when they would without the patch, or are lent.
  mutating func keep(as keeping: wax_proxy_keeping) {
    self.keeping = UInt8(keeping.rawValue)
    arguments.lends = keeping == WAX_PROXY_KEEPING_NOTHING_CALLS_ORIGINALS && arguments.has_receiver
  }
}
