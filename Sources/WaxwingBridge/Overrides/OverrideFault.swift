// SPDX-License-Identifier: MIT

internal import Glibc
package import WaxwingLua

/// How an override failed. The program went on with the original.
package struct OverrideFault: Sendable {
  /// The function's qualified name, such as `Bank.Account.deposit(_:memo:)`.
  package let function: String
  /// The problem, with the position in the script.
  package let message: String
  /// Innermost first; empty if the failure was not in Lua code.
  package let frames: [LuaFrame]
  /// Where to look first.
  package let position: LuaFrame?

  /// Seconds since 1970, UTC.
  package let at: Int

  /// The message, where it starts with the position, without that.
  package var messageWithoutPosition: String {
    guard let position, let line = position.line else { return message }
    let place = "\(position.source):\(line): "
    return message.hasPrefix(place) ? String(message.dropFirst(place.count)) : message
  }

  package init(function: String, message: String, frames: [LuaFrame], position: LuaFrame?) {
    self.function = function
    self.message = message
    self.frames = frames
    self.position = position
    at = time(nil)
  }
}
