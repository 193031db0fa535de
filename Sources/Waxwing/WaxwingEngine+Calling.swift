// SPDX-License-Identifier: MIT

import WaxwingCore

extension WaxwingEngine {
  /// Calls a method that a loaded patch has added to a type with `Type:method(name, function)`:
  ///
  ///     let text: String = try WaxwingEngine.call("greeting", on: account, 1, "x")
  ///     try WaxwingEngine.call("note", on: account, returning: Void.self)
  ///     let made: Account = try WaxwingEngine.call("make", on: Account.self, "Ann")
  ///
  /// Where several patches have added one of the name, it is the newest patch's. May be called on any
  /// thread, also in code that a patch calls.
  ///
  /// - Parameters:
  ///   - method: The name by which the patch has added it.
  ///   - receiver: The object; or a struct or enum, of which the method gets a copy; or a type, for a
  ///     method that was added to `Type.static`.
  ///   - arguments: They cross to Lua as where a parameter is of their own type.
  ///   - returning: What the result has to be. What a method returns is dropped for `Void`.
  /// - Throws: `WaxwingError.Code.notFound` if no loaded patch has added such a method;
  ///   `LuaError` if it fails, or returns something else; and Swift errors that leave it.
  public static func call<Result>(
    _ method: String, on receiver: Any, _ arguments: Any?..., returning: Result.Type = Result.self
  ) throws -> Result {
    try Operations.shared.engine.methods.call(
      method, on: receiver, arguments, returning: returning)
  }
}
