// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingLua
internal import WaxwingValues

/// Members of encoders and decoders besides their own, for conformances to `Codable` in Lua:
/// `encoder:encode(value)` and `decoder:decode()`.
package enum CodingMembers {
  package static func method(
    _ name: String, of type: any Any.Type, in state: LuaState
  ) -> ((inout LuaCall) throws(LuaRaise) -> Void)? {
    if name == "encode", type is any Encoder.Type {
      return { (call) throws(LuaRaise) in try encode(&call, state) }
    }
    if name == "decode", type is any Decoder.Type {
      return { (call) throws(LuaRaise) in try decode(&call, state) }
    }
    return nil
  }

  /// Encodes a value; Lua calls this as (encoder, value).
  private static func encode(_ call: inout LuaCall, _ state: LuaState) throws(LuaRaise) {
    var reader = call.arguments
    let value: CodedValue
    let receiver: Any
    do throws(ConversionError) {
      receiver = try DynamicValue.read(&reader)
      value = try CodedValue(&reader)
    } catch {
      throw .message("encode: \(error)")
    }
    guard let encoder = receiver as? any Encoder else {
      throw .message("call it with `:`, as encoder:encode(value)")
    }
    if let error = state.suspended({ failure { try value.encode(to: encoder) } }) {
      throw .error(error)
    }
  }

  /// Decodes a value; Lua calls this as (decoder).
  private static func decode(_ call: inout LuaCall, _ state: LuaState) throws(LuaRaise) {
    var reader = call.arguments
    guard let receiver = try? DynamicValue.read(&reader), let decoder = receiver as? any Decoder
    else { throw .message("call it with `:`, as decoder:decode()") }
    var value = CodedValue.null
    let error = state.suspended({ failure { value = try CodedValue(from: decoder) } })
    if let error { throw .error(error) }
    value.push(call.writer)
    wax_lua_push_call_results(call.raw)
  }

  private static func failure(_ body: () throws -> Void) -> (any Error)? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }
}
