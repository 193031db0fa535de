// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingLua
internal import WaxwingValues

/// The members of Swift errors in Lua: `message`, `type`, `value`, and the members of the error
/// itself.
final class ErrorMembers {
  private unowned let runtime: ScriptRuntime

  init(_ runtime: ScriptRuntime) {
    self.runtime = runtime
    SwiftErrorText.use(ValueText.error)
  }

  func define(_ L: OpaquePointer, _ kind: UInt32) -> Bool {
    let state = runtime.state!
    let get = state.register { [self] (call) throws(LuaRaise) in try self.get(&call) }
    let set = state.register { (_) throws(LuaRaise) in
      throw .message("Swift errors cannot be changed")
    }
    let describe = state.register { [unowned state] (call) throws(LuaRaise) in
      var reader = call.arguments
      call.writer.string(Self.text(reader.read(), state))
    }
    return "Swift error".withCString { name in
      var metatable = wax_proxy_metatable()
      metatable.name = name
      metatable.get = get
      metatable.set = set
      metatable.describe = describe
      metatable.equals = runtime.types.operators.equals
      metatable.members_vary = true
      return wax_proxy_define_metatable(L, nil, kind, &metatable)
    }
  }

  /// Gets a member; Lua calls this as (error, name).
  private func get(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let receiver = reader.read()
    guard let held = ValueBox.contents(of: receiver) else {
      throw .message("an error that does not exist any more")
    }
    let type = TypeMetadata.type(at: held.type)
    switch reader.displayString(reader.read()) {
    case "message": call.writer.string(Self.text(receiver, runtime.state))
    case "type": call.writer.string(TypeName.full(type))
    case "value": CodecLibrary.known(type).push(held.memory, call.writer)
    default:
      if TypeMetadata.kind(of: type) == .class {
        throw .message("the members of an error that is an object are those of its `value`")
      }
      try runtime.types.members(of: type).get(&call)
      // What was found is the member of this error's type.
      call.raw.pointee.member = nil
      call.raw.pointee.keeps_result = false
    }
  }

  /// The program's own code may run for this.
  private static func text(_ value: wax_lua_value, _ state: LuaState) -> String {
    guard let error = DynamicValue.error(value) else {
      return "an error that does not exist any more"
    }
    return state.suspended { ValueText.error(error) }
  }
}
