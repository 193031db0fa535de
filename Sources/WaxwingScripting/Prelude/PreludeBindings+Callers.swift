// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingInterception
internal import WaxwingLua

/// Where calls come from, for lua/tools/trace.lua.
extension PreludeBindings {
  /// (most) -> a sequence of addresses of code, the innermost first: where the running override was called, where
  /// the function was that called it, and so on.
  static func listCallers(_ call: inout LuaCall) {
    var reader = call.arguments
    let most = min(max(Int(reader.read().integer), 0), 256)
    let addresses = ActiveCall.innermost?.pointee.callers(atMost: most) ?? []
    call.writer.array(count: addresses.count)
    for address in addresses { call.writer.integer(Int(bitPattern: address)) }
  }
}
