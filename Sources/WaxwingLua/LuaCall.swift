// SPDX-License-Identifier: MIT

package import CWaxwingLua

/// A call that Lua code makes of a Swift function, for as long as the function runs. The state is
/// entered.
public struct LuaCall {
  package let raw: UnsafeMutablePointer<wax_lua_host_call>

  init(_ raw: UnsafeMutablePointer<wax_lua_host_call>) {
    self.raw = raw
  }

  /// How many arguments Lua passed.
  package var argumentCount: Int { Int(raw.pointee.argument_count) }

  /// Reads the arguments from the first on. Strings in it are valid until the function returns.
  package var arguments: LuaReader {
    let buffer = raw.pointer(to: \.arguments)!
    return LuaReader(buffer)
  }

  var results: UnsafeMutablePointer<wax_lua_buffer> {
    raw.pointer(to: \.results)!
  }

  /// Writes the results, in order.
  package var writer: LuaWriter { LuaWriter(results) }

  /// The argument at `index`, from 0, as a function, table or value that outlives the call.
  /// - Returns: nil if there is no memory.
  package func reference(toArgument index: Int) -> Int32? {
    let reference = wax_lua_reference_argument(raw, Int32(index + 1))
    return reference == 0 ? nil : reference
  }

  /// Lets the table at `index`, from 0, stand for a Swift type.
  /// - Parameter isMain: The type, when it comes from Swift, is to be this table.
  /// - Returns: Whether there was memory.
  package func setTypeObject(
    ofArgument index: Int, to metadata: UnsafeRawPointer, isMain: Bool
  ) -> Bool {
    wax_proxy_set_type_object(raw.pointee.L, Int32(index + 1), metadata, isMain)
  }

  /// Whether some arguments are lent: see wax_lua_lent.h.
  package var hasLent: Bool { raw.pointee.arguments.has_lent }

  /// Lets a call in which nothing has happened run again with nothing lent.
  /// - Returns: The error to throw. Lua code never sees it.
  package func repeated() -> LuaRaise {
    raw.pointee.wants_shown = true
    return .message("")
  }

  /// Whether the Lua code that calls can wait.
  package var mayWait: Bool { wax_lua_call_may_wait(raw) }

  /// Lets the Lua code that calls wait. When it goes on, `callback` is called for the results.
  package func wait(for callback: UnsafeMutablePointer<wax_lua_callback>) {
    raw.pointee.waits = callback
  }

  /// The Lua code's name of a value for which a metamethod was called, such as `local 'x'` or
  /// `field 'owner'`; nil if nothing tells it.
  package func name(of operand: wax_lua_operand) -> String? {
    var name = wax_lua_operand_name()
    guard wax_lua_find_operand_name(raw.pointee.L, operand, &name) else { return nil }
    return withUnsafeBytes(of: &name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// The functions that the calling Lua code is in, innermost first.
  package func traceback() -> [LuaFrame] {
    let most = Int(WAX_LUA_MAX_FRAMES)
    let frames = [wax_lua_traceback_frame](unsafeUninitializedCapacity: most) { buffer, count in
      count = Int(wax_lua_capture_traceback(raw.pointee.L, 1, buffer.baseAddress, Int32(most)))
    }
    return frames.map(LuaFrame.init)
  }

  /// How many parameters the Lua function at `index`, from 0, has; nil: it takes any number (`...`), or
  /// is none of Lua's.
  package func parameterCount(ofArgument index: Int) -> Int? {
    let count = wax_lua_parameter_count(raw.pointee.L, Int32(index + 1))
    return count < 0 ? nil : Int(count)
  }

  /// Where the Lua code that calls is: the `level`-th Lua function up, from 0.
  package func position(level: Int = 0) -> LuaFrame? {
    var frame = wax_lua_traceback_frame()
    return wax_lua_call_location(raw.pointee.L, Int32(level), &frame) ? LuaFrame(frame) : nil
  }
}
