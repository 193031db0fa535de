// SPDX-License-Identifier: MIT

package import CWaxwingLua

/// A Swift function in the form that C calls.
package final class LuaCallback {
  package let pointer: UnsafeMutablePointer<wax_lua_callback>
  private let function: (inout LuaCall) throws(LuaRaise) -> Void

  package init(_ function: @escaping (inout LuaCall) throws(LuaRaise) -> Void) {
    self.function = function
    pointer = .allocate(capacity: 1)
    // Unretained: this object outlives the pointer, which it frees.
    let context = Unmanaged.passUnretained(self).toOpaque()
    pointer.initialize(
      to: wax_lua_callback(
        function: { context, call in
          guard let context, let call else { return false }
          return Unmanaged<LuaCallback>.fromOpaque(context)._withUnsafeGuaranteedRef {
            $0.run(call)
          }
        },
        context: context, cost: 0, failure_cost: 0, declares: false,
        is_original: false, takes_lent: false, direct: nil, direct_plan: nil, closure: nil))
  }

  deinit {
    pointer.deallocate()
  }

  private func run(_ raw: UnsafeMutablePointer<wax_lua_host_call>) -> Bool {
    var call = LuaCall(raw)
    do throws(LuaRaise) {
      try function(&call)
      return true
    } catch {
      wax_proxy_buffer_discard(raw.pointee.state, call.results)
      wax_lua_buffer_clear(call.results)
      error.write(LuaWriter(call.results))
      return false
    }
  }
}
