// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingLua

/// What the closure has captured whose override is running.
extension PreludeBindings {
  /// (name or number): the value.
  func findCaptured(_ call: inout LuaCall) throws(LuaRaise) {
    let (variables, context) = try captured()
    var reader = call.arguments
    let key = reader.read()
    let number = key.tag == WAX_LUA_VALUE_INTEGER.rawValue ? Int(key.integer) : nil
    let name = number.map(String.init) ?? reader.displayString(key) ?? "a value that is no name"
    if let failure = variables.push(name, number: number, context, call.writer) {
      throw .message(failure)
    }
  }

  /// The names of all variables, or numbers where nothing tells the names, and the variables with types as text.
  func describeCaptured(_ call: inout LuaCall) throws(LuaRaise) {
    let (variables, _) = try captured()
    if let refusal = variables.refusal { throw .message(refusal) }
    call.writer.array(count: variables.count)
    for (index, name) in variables.names.enumerated() {
      if let name { call.writer.string(name) } else { call.writer.integer(index + 1) }
    }
    call.writer.string(variables.text)
  }

  private func captured() throws(LuaRaise) -> (CapturedVariables, UInt) {
    guard let active = ActiveCall.innermost, active.pointee.overrides(in: state) != nil,
      let found = CapturedVariables.of(active.pointee, in: runtime.resolver.program)
    else {
      throw .message("`captured` works in a call of a closure's override")
    }
    return found
  }
}
