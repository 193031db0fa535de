// SPDX-License-Identifier: MIT

package import CWaxwingLua

extension LuaState {
  /// The outcome of a slice of a collection.
  package struct Slice: Sendable {
    /// The slice's stay in the state.
    package let turn: UInt64
    /// Whether the slice was the last of a collection.
    package let isLast: Bool
  }

  /// Continues a collection for this time, unless another thread is in the state. Values that
  /// proxies gave up are released after leaving, on this thread.
  /// - Returns: nil if another thread is in the state.
  package func collectSlice(lasting duration: Duration) -> Slice? {
    guard wax_lua_try_enter(handle, 0) else { return nil }
    defer { wax_lua_leave(handle) }
    let end = ContinuousClock.now.advanced(by: duration)
    repeat {
      if wax_lua_collect_step(handle) { return Slice(turn: lastTurn, isLast: true) }
    } while ContinuousClock.now < end
    return Slice(turn: lastTurn, isLast: false)
  }

  /// Collects the cycles that go through Swift, and all other garbage, unless another thread is in the
  /// state: that waits until it is done, a millisecond for each MB of Lua's.
  /// - Returns: nil if another thread is in it. Not the last slice if there may be more.
  package func collectCycles() -> Slice? {
    guard wax_lua_try_enter(handle, 0) else { return nil }
    defer { wax_lua_leave(handle) }
    let before = liveProxies
    wax_proxy_collect_cycles(handle)
    return Slice(turn: lastTurn, isLast: liveProxies >= before)
  }

  /// Whether Swift keeps, or has kept, something of Lua's: a cycle may go through this state.
  package var hasEdges: Bool { wax_proxy_has_edges(handle) }

  /// Collects the cycles that go through several states, unless a thread is in one of them. This
  /// thread must be in none. All of them admit no calls meanwhile. Collected values are released on
  /// this thread, after leaving.
  package static func collectJointCycles(of states: [LuaState]) {
    let handles = states.map { Optional($0.handle) }
    _ = wax_proxy_collect_joint_cycles(handles, handles.count)
  }

  /// Sets the functions with which the collection of cycles reads objects of the program.
  package func setCycleHooks(_ hooks: wax_proxy_cycle_hooks) {
    entered { wax_proxy_set_cycle_hooks(handle, hooks) }
  }
}
