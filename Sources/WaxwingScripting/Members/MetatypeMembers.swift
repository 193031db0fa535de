// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingValues

/// The members in Lua of a type that has no type object, because it is made of others, such as
/// `[Int]`.
struct MetatypeMembers {
  private let state: LuaState

  init(_ state: LuaState) {
    self.state = state
  }

  func define(_ L: OpaquePointer, _ kind: UInt32) -> Bool {
    let refuse = state.register { (call) throws(LuaRaise) in
      var reader = call.arguments
      throw .message("the members of the type \(Self.name(reader.read())) cannot be named")
    }
    let describe = state.register { (call) throws(LuaRaise) in
      var reader = call.arguments
      call.writer.string(Self.name(reader.read()))
    }
    return "Swift type".withCString { name in
      var metatable = wax_proxy_metatable()
      metatable.name = name
      metatable.get = refuse
      metatable.set = refuse
      metatable.describe = describe
      return wax_proxy_define_metatable(L, nil, kind, &metatable)
    }
  }

  private static func name(_ value: wax_lua_value) -> String {
    Metatype.type(of: value).map(TypeName.short) ?? "?"
  }
}
