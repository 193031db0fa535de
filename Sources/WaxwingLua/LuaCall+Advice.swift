// SPDX-License-Identifier: MIT

internal import CWaxwingLua

/// The arguments of the functions that lua/waxwing/advice.lua calls.
extension LuaCall {
  /// The argument at `index`, from 0, as a piece of advice.
  package func advice(_ index: Int) -> OpaquePointer? {
    wax_proxy_advice_argument(raw, Int32(index + 1))
  }

  /// The argument at `index`, from 0, as the error that a piece of advice ended with.
  package func failure(_ index: Int) -> LuaFailure {
    var buffer = wax_lua_buffer()
    return withUnsafeMutablePointer(to: &buffer) { buffer in
      wax_lua_buffer_init(buffer)
      buffer.pointee.L = raw.pointee.L
      defer { wax_lua_buffer_free(buffer) }
      var frameCount: Int32 = 0
      var frames = Array(repeating: wax_lua_traceback_frame(), count: Int(WAX_LUA_MAX_FRAMES))
      let status = frames.withUnsafeMutableBufferPointer {
        wax_proxy_advice_error(raw, Int32(index + 1), buffer, $0.baseAddress, &frameCount)
      }
      return LuaFailure(
        status, LuaReader(buffer), frames.prefix(Int(frameCount)).map(LuaFrame.init))
    }
  }
}
