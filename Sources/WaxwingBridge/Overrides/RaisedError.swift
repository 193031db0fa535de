// SPDX-License-Identifier: MIT

package import WaxwingLua

/// What a script raised in an override of a throwing function, before the host has made an error of
/// its own of it.
package struct RaisedError: Error, Sendable {
  /// What the script called `error` or `throw` with, without position.
  package let message: String
  /// Where; nil if it was not raised in Lua code.
  package let position: LuaFrame?
  /// Innermost first.
  package let frames: [LuaFrame]
}
