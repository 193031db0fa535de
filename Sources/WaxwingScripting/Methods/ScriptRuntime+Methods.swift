// SPDX-License-Identifier: MIT

internal import WaxwingBridge
internal import WaxwingLua

/// Calls of methods that the script has added to types.
extension ScriptRuntime {
  /// Calls a method by its name from Swift. Any thread.
  ///
  /// - Parameters:
  ///   - method: One of the `methods` of its declarations.
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
