// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingReflection

/// Functions as Lua code calls them.
extension PatchContext {
  /// A Lua function that calls `function`.
  func callable(
    _ function: RunningFunction, _ target: FunctionCall.Target
  ) throws(PlanError) -> UnsafeMutablePointer<waxwing_callback> {
    let call = try call(function, target)
    let callback = state.register { (luaCall) throws(LuaRaise) in try call.run(&luaCall) }
    (call as? FunctionCall)?.offerDirect(to: callback)
    return callback
  }

  /// `function` as Lua code calls it.
  func call(
    _ function: RunningFunction, _ target: FunctionCall.Target
  ) throws(PlanError) -> any LuaCallable {
    // As the override reads its calls.
    if case .original(let point) = target, case .plain(let plan)? = point.form {
      return FunctionCall(plan, target, in: state)
    }
    if let generic = try generic(function) { return GenericCall(generic, target, in: state) }
    return FunctionCall(try plan(function), target, in: state)
  }
}
