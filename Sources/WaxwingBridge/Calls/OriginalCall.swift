// SPDX-License-Identifier: MIT

package import CWaxwingLua
package import WaxwingLua

/// `self:ORIGwithdraw(…)`: calls the original at the point that the script has overridden under that
/// name. It stays the same Lua function while overrides come and go.
package final class OriginalCall {
  private typealias Found = (points: [PointOverrides], functions: [any LuaCallable])

  // Unchecked: used by the thread that has entered the state, and by one call at a time.
  /// How many points the script had overridden when `found` was looked up.
  @exclusivity(unchecked) private var known = -1
  @exclusivity(unchecked) private var found: Found = ([], [])
  /// The function to call, if the name can mean only one.
  @exclusivity(unchecked) private var only: FunctionCall?

  private var callback: UnsafeMutablePointer<wax_lua_callback>?

  /// Unchecked: a script outlives its callbacks.
  private unowned(unsafe) let patch: PatchContext
  private let find: () throws(LuaRaise) -> (points: [PointOverrides], functions: [any LuaCallable])

  /// - Parameter find: The points of this name that the script has overridden, nearest class first,
  ///   and how their originals are called; if there are none, the function itself.
  private init(
    in patch: PatchContext,
    _ find:
      @escaping () throws(LuaRaise) -> (
        points: [PointOverrides], functions: [any LuaCallable]
      )
  ) throws(LuaRaise) {
    self.patch = patch
    self.find = find
    try look()
  }

  /// Registers the original as a function that Lua code can call.
  package static func register(
    in patch: PatchContext,
    _ find:
      @escaping () throws(LuaRaise) -> (
        points: [PointOverrides], functions: [any LuaCallable]
      )
  ) throws(LuaRaise) -> UnsafeMutablePointer<wax_lua_callback> {
    let original = try OriginalCall(in: patch, find)
    let callback = patch.state.register { (call) throws(LuaRaise) in try original.run(&call) }
    original.callback = callback
    callback.pointee.takes_lent = true
    original.offerDirect()
    return callback
  }

  /// Lets C make the calls, as long as the name means this one function.
  private func offerDirect() {
    guard let callback else { return }
    callback.pointee.direct = nil
    guard let only, let direct = only.direct else { return }
    direct.pointee.counter = UnsafePointer(patch.overrides.overriddenCount.pointer)
    direct.pointee.made_at = patch.overrides.overriddenCount.value
    callback.pointee.direct_plan = UnsafeMutableRawPointer(direct)
    callback.pointee.direct = only.directFunction
  }

  private func run(_ call: inout LuaCall) throws(LuaRaise) {
    // The script may have overridden more.
    if known != patch.overrides.overriddenPoints.count { try look() }
    if let only { return try only.run(&call) }
    if call.hasLent, found.functions.count != 1 || !(found.functions[0] is GenericCall) {
      throw call.repeated()
    }
    // One that is generic, or several: then that of the override which is running. Outside of all, that
    // of all objects: those of classes of Lua's have their own ones.
    let running = found.points.count < 2 ? nil : ActiveCall.innermost(among: found.points)
    try found.functions[running ?? found.points.firstIndex { !$0.isOfClass } ?? 0].run(&call)
  }

  private func look() throws(LuaRaise) {
    let count = patch.overrides.overriddenPoints.count
    found = try find()
    only = found.functions.count == 1 ? found.functions[0] as? FunctionCall : nil
    known = count
    offerDirect()
  }
}
