// SPDX-License-Identifier: MIT

package import CWaxwingLua
internal import WaxwingLua
package import WaxwingReflection

/// Functions as Lua code calls them.
extension PatchContext {
  /// A Lua function that calls `function`.
  package func callable(
    _ function: RunningFunction, _ target: CallTarget
  ) throws(PlanError) -> UnsafeMutablePointer<wax_lua_callback> {
    let call = try call(function, target)
    let callback = state.register { (luaCall) throws(LuaRaise) in try call.run(&luaCall) }
    (call as? FunctionCall)?.offerDirect(to: callback)
    return callback
  }

  /// `function` as Lua code calls it.
  package func call(
    _ function: RunningFunction, _ target: CallTarget
  ) throws(PlanError) -> any LuaCallable {
    // As the override reads its calls.
    if case .original(let point) = target, case .plain(let plan)? = point.form {
      return FunctionCall(plan, target, in: state)
    }
    if let generic = try plans.generic(function) { return GenericCall(generic, target, in: state) }
    return FunctionCall(try plans.plan(function), target, in: state)
  }
}
