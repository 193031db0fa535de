// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingLua

/// A Lua function that the program holds as a closure after its patch has ended. It is safe to
/// call. If its type can throw, it throws. If not, it returns nil, 0, false, an empty string or
/// collection, or the value that the script gave as its `fallback`.
public struct HeldFunction: Sendable, Hashable {
  /// The patch that it belonged to.
  public let patch: String
  /// The file of the patch.
  public let file: String
  /// The line where the function begins.
  public let line: Int
  /// The function's type in Swift, such as `(Int) -> Bool`.
  public let type: String

  init(_ held: LuaFunctions.Held, patch: String) {
    self.patch = patch
    file = held.origin.source
    line = held.origin.line ?? 0
    type = held.typeName
  }
}
