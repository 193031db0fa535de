// SPDX-License-Identifier: MIT

package import WaxwingLua

/// A Swift function as Lua code calls it.
package protocol LuaCallable: AnyObject {
  /// Runs one call from Lua. The state is entered before and after, and left while Swift runs.
  func run(_ call: inout LuaCall) throws(LuaRaise)

  /// Runs a getter, which Lua calls as (self, name).
  func runOnReceiver(_ call: inout LuaCall) throws(LuaRaise)

  /// Runs a setter, which Lua calls as (self, name, value).
  func runSkippingName(_ call: inout LuaCall) throws(LuaRaise)
}
