// SPDX-License-Identifier: MIT

package import WaxwingLua

/// An error that a script raised in an override of a throwing function, before the host has made
/// its own error of it.
package struct RaisedError: Error, Sendable, CustomStringConvertible {
  /// The value, without position, with which the script called `error` or `throw`.
  package let message: String
  /// Where; nil if it was not raised in Lua code.
  package let position: LuaFrame?
  /// The Lua stack where the error was raised, innermost frame first.
  package let frames: [LuaFrame]

  package init(message: String, position: LuaFrame?, frames: [LuaFrame]) {
    self.message = message
    self.position = position
    self.frames = frames
  }

  /// The message as Lua shows it, with the position.
  package var description: String {
    guard let position, let line = position.line else { return message }
    let place = "\(position.source):\(line): "
    return message.hasPrefix(place) ? message : place + message
  }
}
