// SPDX-License-Identifier: MIT

package import CWaxwingLua

extension LuaState {
  /// How many proxies of one type hold something.
  package struct Tally: Sendable {
    /// Swift metadata; nil for kinds that have no type.
    /// Unchecked: the address of metadata, which is there for good.
    nonisolated(unsafe) package let type: UnsafeRawPointer?
    package let kind: wax_proxy_kind
    package let count: Int
  }

  /// The values that proxies hold now, by type. May be called on any thread, without entering; the
  /// state must not be closed meanwhile.
  package func tallies() -> [Tally] {
    var tallies: [Tally] = []
    withUnsafeMutablePointer(to: &tallies) { tallies in
      wax_proxy_state_each_live_count(handle, tallies) { context, type, kind, count in
        context?.assumingMemoryBound(to: [Tally].self).pointee.append(
          Tally(type: type, kind: wax_proxy_kind(rawValue: kind), count: count))
      }
    }
    return tallies
  }

  /// Collects garbage as `collect` does, unless another thread stays in the state for longer than
  /// this.
  /// - Returns: Whether there was a collection.
  package func collect(waitAtMost milliseconds: UInt32) -> Bool {
    var before: Int
    repeat {
      before = liveProxies
      guard wax_lua_try_enter(handle, milliseconds) else { return false }
      wax_lua_collect(handle)
      wax_lua_leave(handle)
      // What has just been released no longer holds anything.
      guard wax_lua_try_enter(handle, milliseconds) else { return false }
      let hasCollected = wax_proxy_collect_cycles(handle) > 0
      // What that has left to the next.
      if hasCollected { wax_lua_collect(handle) }
      wax_lua_leave(handle)
    } while liveProxies < before
    return true
  }
}
