// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingValues

/// Closures made of Lua functions that C makes and calls: see wax_call_lua_closure.h.
extension LuaClosure {
  /// The function value of a Lua function that Lua code passes.
  static let makeCompiled:
    @convention(c) (
      UnsafeRawPointer?, OpaquePointer?, Int32, UnsafeMutableRawPointer?
    ) -> Bool = { plan, state, reference, target in
      guard let plan, let target else { return false }
      guard let context = wax_lua_state_context(state) else {
        wax_lua_unreference(state, reference)
        return false
      }
      // Not retained: a weak reference to the script makes that dear.
      return Unmanaged<PatchContext>.fromOpaque(context)._withUnsafeGuaranteedRef { patch in
        Unmanaged<ClosurePlan>.fromOpaque(plan)._withUnsafeGuaranteedRef {
          make(reference, $0, in: patch, at: target)
        }
      }
    }

  private static func make(
    _ reference: Int32, _ plan: ClosurePlan, in patch: PatchContext,
    at target: UnsafeMutableRawPointer
  ) -> Bool {
    do throws(ConversionError) {
      value(of: try LuaClosure(reference, plan, patch.functions, in: patch)).store(at: target)
      return true
    } catch {
      return false
    }
  }

  fileprivate static let runCompiled:
    @convention(c) (
      UnsafeMutablePointer<wax_call_lua_closure_context>?, FramePointer?
    ) -> Void = { closure, frame in
      guard let closure, let frame else { return }
      Unmanaged<LuaClosure>.fromOpaque(closure)._withUnsafeGuaranteedRef { $0.run(frame) }
    }

  fileprivate static let concludeCompiled:
    @convention(c) (
      UnsafeMutablePointer<wax_call_lua_closure_context>?, FramePointer?,
      UnsafeMutablePointer<wax_lua_coroutine>?, UnsafeMutablePointer<wax_call_lua_closure_call>?,
      Int32, Int32
    ) -> Void = { closure, frame, coroutine, call, status, first in
      guard let closure, let frame, let coroutine, let call, let held = closure.pointee.held else {
        return
      }
      Unmanaged<LuaClosure>.fromOpaque(closure)._withUnsafeGuaranteedRef { closure in
        let failure = closure.conclude(frame, LuaCoroutine(taken: coroutine), status, first)
        wax_call_lua_closure_leave_inside(held, call)
        wax_lua_leave(held.pointee.state)
        if let failure { closure.fail(failure, frame) }
        if closure.plan.ownsArguments { closure.consumeArguments(frame) }
      }
    }

  /// The coroutine is released.
  private func conclude(
    _ frame: FramePointer, _ coroutine: LuaCoroutine, _ status: Int32, _ first: Int32
  ) -> LuaFailure? {
    defer { coroutine.release() }
    do throws(LuaFailure) {
      try finish(frame, coroutine, try coroutine.outcome(status, first))
      return nil
    } catch {
      return error
    }
  }
}

extension ClosurePlan {
  /// Compiles a call of a Lua function by Swift; nil if part of the call needs Swift. The caller
  /// deallocates it.
  func compileHeld() -> UnsafeMutablePointer<wax_call_lua_closure_plan>? {
    if wax_call_takes_long_way() || isAsync || isCFunction { return nil }
    guard inouts.isEmpty, resultAddress == nil else { return nil }
    var plan = wax_call_lua_closure_plan()
    if !plan.arguments.add(steps) { return nil }
    plan.result = wax_call_result(outcome.heldResult, result)
    plan.run = LuaClosure.runCompiled
    plan.conclude = LuaClosure.concludeCompiled
    let memory = UnsafeMutablePointer<wax_call_lua_closure_plan>.allocate(capacity: 1)
    memory.initialize(to: plan)
    return memory
  }
}

extension ResultLowering {
  fileprivate var heldResult: wax_call_step {
    guard let codec = result else { return wax_call_step(WAX_LUA_MOVE_NOTHING, 0) }
    guard let offset = frameOffset else { return wax_call_step(WAX_LUA_MOVE_OTHER, 0) }
    return wax_call_step(codec.move ?? WAX_LUA_MOVE_OTHER, offset)
  }
}
