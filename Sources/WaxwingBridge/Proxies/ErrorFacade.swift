// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// What Lua sees of Swift errors: `message`, `type`, and their text.
struct ErrorFacade {
  private let state: LuaState

  init(_ state: LuaState) {
    self.state = state
  }

  func define(_ L: OpaquePointer, _ kind: UInt32) -> Bool {
    let state = state
    let get = state.register { [unowned state] (call) throws(LuaRaise) in
      try Self.get(&call, state)
    }
    let set = state.register { (_) throws(LuaRaise) in
      throw .message("Swift errors cannot be changed")
    }
    let describe = state.register { [unowned state] (call) throws(LuaRaise) in
      var reader = call.arguments
      call.writer.string(Self.text(reader.read(), state))
    }
    return "Swift error".withCString { name in
      var metatable = waxwing_metatable()
      metatable.name = name
      metatable.get = get
      metatable.set = set
      metatable.describe = describe
      return waxwing_define_metatable(L, nil, kind, &metatable)
    }
  }

  private static func get(_ call: inout LuaCall, _ state: LuaState) throws(LuaRaise) {
    var reader = call.arguments
    let receiver = reader.read()
    switch reader.displayString(reader.read()) {
    case "message": call.writer.string(text(receiver, state))
    case "type": call.writer.string(error(receiver).map { _typeName(Swift.type(of: $0)) } ?? "")
    case let name:
      throw .message("a Swift error has no member `\(name ?? "?")`; it has `message` and `type`")
    }
  }

  private static func error(_ value: waxwing_value) -> (any Error)? {
    guard value.tag == WAXWING_PROXY.rawValue,
      let box = value.pointer.assumingMemoryBound(to: waxwing_proxy.self).pointee.pointer
    else { return nil }
    return withUnsafePointer(to: box) {
      UnsafeRawPointer($0).assumingMemoryBound(to: (any Error).self).pointee
    }
  }

  /// The program's own code may run for this.
  private static func text(_ value: waxwing_value, _ state: LuaState) -> String {
    guard let error = error(value) else { return "an error that does not exist any more" }
    return state.suspended { "\(error)" }
  }
}
