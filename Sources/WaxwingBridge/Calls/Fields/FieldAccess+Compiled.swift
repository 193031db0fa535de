// SPDX-License-Identifier: MIT

package import CWaxwingLua
package import WaxwingLua

extension FieldAccess {
  /// Lets C read or write the property of objects; values that it cannot move go the long way.
  package func offerDirect(
    to callback: UnsafeMutablePointer<wax_lua_callback>, writes: Bool, in state: LuaState
  ) {
    if writes, state.refusesEffects { return }
    guard !wax_call_takes_long_way(), let plan = direct(in: state) else { return }
    callback.pointee.direct_plan = plan
    if writes {
      callback.pointee.direct = wax_call_set_stored
    } else {
      callback.pointee.direct = wax_call_get_stored
    }
  }
}
