// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
package import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// Decides which failures in Lua become Swift errors.
extension CallPlan {
  /// The error, if the function throws and the failure is one to be thrown.
  /// - Parameter originalThrew: Whether the original threw. For accessors, only this tells that
  ///   they can throw.
  package func errorToThrow(
    _ failure: LuaFailure, _ options: ScriptOptions, originalThrew: Bool = false
  ) -> (any Error)? {
    guard isThrowing || originalThrew && function.declaration.kind.isAccessor else { return nil }
    if let error = failure.swiftError { return error }
    guard failure.kind == .explicit || options.onError == .throw else { return nil }
    let position = failure.position
    return options.host.error(
      for: RaisedError(
        message: failure.kind == .explicit ? failure.rawMessage : failure.message,
        position: position, frames: failure.frames))
  }

  /// A string or a number has no `ORIG` names of its own.
  func remedy(_ failure: LuaFailure) -> String {
    guard hasPlainReceiver,
      failure.message.contains("ORIG") || failure.message.contains("(local 'self')")
    else { return "" }
    return "; `self` is a plain Lua value here: call `original(self, …)`"
  }

  private var hasPlainReceiver: Bool {
    switch receiver {
    case .value(let argument): !argument.codec.isBoxing
    case .mutableValue(let codec): !codec.isBoxing
    default: false
    }
  }

  /// The message for an error that a function with `throws(E)` cannot throw.
  package func wrongError(_ failure: LuaFailure, _ options: ScriptOptions) -> String {
    guard let thrown = outcome.thrown, let error = errorToThrow(failure, options),
      !outcome.canThrow(error)
    else {
      return ""
    }
    let name = function.declaration.qualifiedName
    return " (\(name) can throw \(thrown.typeName) only: `throw` one)"
  }
}
