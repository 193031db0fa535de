// SPDX-License-Identifier: MIT

internal import CWaxwingLua

extension LuaState {
  /// Where in Lua code the calls of a thread are that are in this state, innermost first; none if it
  /// is in no call.
  ///
  /// - Parameters:
  ///   - thread: The kernel's id.
  ///   - milliseconds: How long to wait for a thread that is running Lua code.
  /// - Returns: nil if Lua code was running all the time.
  package func traceback(ofThread thread: UInt64, waitAtMost milliseconds: UInt32) -> [LuaFrame]? {
    guard wax_lua_try_enter(handle, milliseconds) else { return nil }
    defer { wax_lua_leave(handle) }
    let most = Int(WAX_LUA_MAX_FRAMES)
    let frames = [wax_lua_traceback_frame](unsafeUninitializedCapacity: most) { buffer, count in
      count = Int(wax_lua_thread_traceback(handle, thread, buffer.baseAddress, Int32(most)))
    }
    return frames.map(LuaFrame.init)
  }
}
