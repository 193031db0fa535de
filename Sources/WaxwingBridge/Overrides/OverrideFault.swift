// SPDX-License-Identifier: MIT

package import WaxwingLua

/// How an override failed. The program went on with the original.
package struct OverrideFault: Sendable {
  /// `Bank.Account.deposit(_:memo:)`
  package let function: String
  /// What went wrong, with the position in the script.
  package let message: String
  /// Innermost first; empty if the failure was not in Lua code.
  package let frames: [LuaFrame]
  /// Where to look first.
  package let position: LuaFrame?

  init(function: String, message: String, frames: [LuaFrame], position: LuaFrame?) {
    self.function = function
    self.message = message
    self.frames = frames
    self.position = position
  }
}
