// SPDX-License-Identifier: MIT

package import CWaxwingLua

extension LuaReader {
  /// The proxy of a function value that stands for a Swift closure; nil for functions of Lua.
  package func closure(_ value: wax_lua_value) -> UnsafeMutablePointer<wax_proxy>? {
    var value = value
    return wax_proxy_function_closure(source, &value)
  }

  /// A function value, in a table or not, as one that outlives the call.
  /// - Returns: nil if there is no memory.
  package func reference(to value: wax_lua_value) -> Int32? {
    var value = value
    let reference = wax_lua_reference_function(source, &value)
    return reference == 0 ? nil : reference
  }
}

extension LuaState {
  /// The place of a function as Lua tells it, for callers that must not run Lua code.
  package func place(of reference: Int32) -> LuaPlace {
    var place = LuaPlace.unknown
    wax_lua_function_location(handle, reference, &place.raw)
    return place
  }

  /// Puts the function by which scripts give fallbacks into a global. The state is entered.
  /// - Returns: False: there is no memory.
  package func defineFallback(as name: String) -> Bool { wax_proxy_define_fallback(handle, name) }

  /// Puts the function by which the prelude says where a copy came from into a global. The state is
  /// entered.
  /// - Returns: False: there is no memory.
  package func defineConnect(as name: String) -> Bool { wax_proxy_define_writeback(handle, name) }

  /// Puts what finds these functions by their names into a global. The state is entered.
  /// - Returns: False: there is no memory.
  package func defineHost(
    _ functions: UnsafePointer<wax_proxy_host_functions>, as name: String
  ) -> Bool {
    wax_proxy_define_host(handle, name, functions)
  }

  /// Puts the functions that lua/waxwing/advice.lua uses into a global. The state is entered.
  /// - Returns: False: there is no memory.
  package func defineAdvice(as name: String, runsInC: Bool) -> Bool {
    wax_proxy_define_advice(handle, name, runsInC)
  }

  /// Runs `body` with the fallback that the script gave for the function of a reference, if it gave
  /// one. The state is entered.
  package func withFallback(of reference: Int32, _ body: (inout LuaReader) -> Void) {
    guard wax_proxy_has_fallbacks(handle) else { return }
    let buffer = UnsafeMutablePointer<wax_lua_buffer>.allocate(capacity: 1)
    defer { buffer.deallocate() }
    wax_lua_buffer_init(buffer)
    defer { wax_lua_buffer_free(buffer) }
    guard wax_proxy_read_fallback(handle, reference, buffer) else { return }
    defer { wax_proxy_end_fallback(handle) }
    var reader = LuaReader(buffer)
    body(&reader)
  }
}

/// Where a function is written, as Lua tells it.
package struct LuaPlace: Sendable {
  fileprivate var raw = wax_lua_traceback_frame()

  /// No place.
  package static var unknown: LuaPlace { LuaPlace() }

  package var frame: LuaFrame { LuaFrame(raw) }
}
