// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import CWaxwingProxies
internal import WaxwingConformances
internal import WaxwingLua
internal import WaxwingMetadata
internal import WaxwingOverrides

/// Methods that the script has added to types: which run, and calls of them by name.
extension ScriptRuntime {
  /// A patch says what it is while it loads; a script of its own, or a shell, at any time.
  var canAddMethods: Bool { isLoading || isWholeProgram }

  /// The class that declares the innermost method of this object that is running in the Lua code
  /// which calls.
  func classOfRunningMethod(on receiver: wax_lua_value, _ call: LuaCall) -> (any Any.Type)? {
    guard !methods.isEmpty, receiver.tag == WAX_LUA_VALUE_OBJECT.rawValue,
      let object = receiver.pointer
    else { return nil }
    let type = ObjectReference.dynamicType(object)
    let line = ClassLine.descriptors(of: type)
    var level: Int32 = 0
    while let function = wax_proxy_function_on(call.raw.pointee.L, object, &level) {
      if let owner = methods.owner(ofFunction: UInt(bitPattern: function), among: line) {
        return ClassLine.type(of: owner, from: type)
      }
    }
    return nil
  }

  /// Calls a method by its name from Swift. Any thread.
  ///
  /// - Parameters:
  ///   - method: One of `methods`.
  ///   - receiver: An object or value of a type that has it, or for a static one the type.
  /// - Returns: nil if the script has ended.
  /// - Throws: The Swift error that left the method; what the host makes of any other; or
  ///   `UnsupportedType` for arguments or results that cannot cross.
  package func call<Value>(
    _ method: AddedMethod, on receiver: Any, _ arguments: [Any?], returning _: Value.Type
  ) throws -> Value? {
    let call = try MethodCall<Value>(method, on: receiver, arguments)
    let outcome = functions.inCall(of: method.qualifiedName) { state in call.outcome(in: state) }
    switch outcome {
    case .success(let value)?: return value
    case .failure(let failure)?: throw failure.swiftError ?? error(failure, in: method)
    case nil: return nil
    }
  }

  /// The host's own error for what went wrong in a method.
  private func error(_ failure: LuaFailure, in method: AddedMethod) -> any Error {
    let isExplicit = failure.kind == .explicit
    return options.host.error(
      for: RaisedError(
        message: isExplicit ? failure.rawMessage : failure.message,
        position: failure.position ?? method.origin, frames: failure.frames))
  }
}
