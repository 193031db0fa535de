// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// `object.super`. A class is an integer to the prelude: the address of its metadata.
extension ScriptHost {
  /// (function): makes what `object.super` is, of the object and the class above.
  func setSuperMaker(_ call: inout LuaCall) throws(LuaRaise) {
    guard let reference = call.reference(toArgument: 0) else { throw .message("not enough memory") }
    runtime.superMaker = reference
  }

  /// (class, name) -> a function of an object, and what it is: "method" or "getter"
  func findSuperMember(_ call: inout LuaCall) throws(LuaRaise) {
    let (facade, name) = try superclass(call)
    switch try facade.superMember(name) {
    case .method(let function):
      call.writer.function(function)
      call.writer.string("method")
    case .getter(let function):
      call.writer.function(function)
      call.writer.string("getter")
    }
  }

  /// (class, name) -> a function of an object and the new value
  func findSuperSetter(_ call: inout LuaCall) throws(LuaRaise) {
    let (facade, name) = try superclass(call)
    call.writer.function(try facade.superSetter(name))
  }

  private func superclass(_ call: LuaCall) throws(LuaRaise) -> (TypeFacade, String) {
    var reader = call.arguments
    let address = reader.read()
    guard address.tag == WAXWING_INTEGER.rawValue,
      let metadata = UnsafeRawPointer(bitPattern: Int(address.integer)),
      let name = reader.displayString(reader.read())
    else { throw .message("a Swift name is a string") }
    return (runtime.facade(of: TypeMetadata.type(at: metadata)), name)
  }
}
