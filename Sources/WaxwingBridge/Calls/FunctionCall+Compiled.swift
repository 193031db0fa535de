// SPDX-License-Identifier: MIT

package import CWaxwingLua
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// A call by Lua code in a form that C runs without asking Swift: see wax_call_direct.h.
extension FunctionCall {
  /// - Returns: nil: some of it takes Swift.
  func compile() -> UnsafeMutablePointer<wax_call_direct>? {
    if wax_call_takes_long_way() || refusal != nil || plan.hasOpaque || plan.isInitializer {
      return nil
    }
    guard isolatesNothing, hasPlainMemory, !plan.isVariadic, !isAsyncAccessor,
      !plan.function.declaration.ignoresOldValue,
      let result = directResult
    else { return nil }
    var direct = wax_call_direct()
    if !compileReceiver(&direct) { return nil }
    guard var layouts = direct.add(plan.steps, plan.arguments) else { return nil }
    direct.result = result
    layouts.append(plan.outcome.resultLayout)
    direct.codec = plan.result.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
    direct.plan = UnsafeRawPointer(Unmanaged.passUnretained(plan).toOpaque())
    direct.address = UnsafeRawPointer(bitPattern: plan.function.address)
    if case .original(let point) = target {
      direct.point = UnsafeRawPointer(Unmanaged.passUnretained(point).toOpaque())
    }
    direct.passes_made_classes = isOverriddenInVtable
    direct.is_cancelled = { Task.isCancelled }
    direct.breadcrumb = PatchContext.context(of: state)?.options.breadcrumb ?? 0
    if plan.isThrowing || plan.isAccessor {
      direct.raise = state.register { [unowned self] (call) throws(LuaRaise) in
        try raiseThrown(&call)
      }
    }
    return wax_call_direct.allocate(direct, layouts)
  }

  /// Lets C make the calls of a callback that is there for this alone.
  package func offerDirect(to callback: UnsafeMutablePointer<wax_lua_callback>) {
    guard let direct else { return }
    callback.pointee.direct_plan = UnsafeMutableRawPointer(direct)
    callback.pointee.direct = directFunction
  }

  /// The function with which C makes such calls.
  var directFunction: DirectFunction {
    plan.isAsync ? wax_call_begin_async_call : wax_call_run_direct
  }

  typealias DirectFunction =
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32) -> Int32

  /// Whether the function is an async accessor. Only the value in the error register tells whether
  /// it has thrown.
  private var isAsyncAccessor: Bool { plan.isAsync && plan.isAccessor }

  /// Whether the call runs where it is made. Async functions go where they belong by themselves, but
  /// those that run where their callers do are told where.
  private var isolatesNothing: Bool {
    if plan.isAsync { return plan.callerActor.isEmpty }
    if case .original = target { return true }
    if case .none = plan.isolation { return true }
    return false
  }

  /// Whether a call needs no memory but its frame, and what C makes of arguments and result.
  private var hasPlainMemory: Bool {
    plan.stackBytes == 0 && plan.trailing.isEmpty && plan.variables.isEmpty
      && !plan.consumesReceiver && plan.resultAddress == nil && plan.outcome.thrown == nil
  }

  private func compileReceiver(_ direct: inout wax_call_direct) -> Bool {
    if let codec = plan.objectReceiver, takesReceiver {
      direct.receiver_class = codec.takeUnretainedValue().metadata
      return true
    }
    if case .none = plan.receiver { return !takesReceiver }
    return false
  }

  private var directResult: wax_call_step? {
    if plan.selfResult != nil { return nil }
    if let step = plan.outcome.directResult { return step }
    // What an original returns is kept in its record, which has no room for it.
    if case .original = target { return nil }
    return plan.outcome.resultLayout.map { _ in wax_call_step(WAX_LUA_MOVE_VALUE, 0) }
  }

  /// Raises the error that a call made by C has thrown.
  private func raiseThrown(_ call: inout LuaCall) throws(LuaRaise) {
    guard let frame = wax_call_thrown_frame() else { return }
    throw .error(takeError(CallMemory(frame, ValueBox.nowhere), target.active))
  }
}
