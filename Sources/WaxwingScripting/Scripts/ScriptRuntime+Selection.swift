// SPDX-License-Identifier: MIT

internal import WaxwingBridge
internal import WaxwingLua

/// Replaces functions in scripts that only observe: see lua/waxwing/selection.lua.
extension ScriptRuntime {
  /// The Lua function that stands for the original of the running override; nil: none does.
  /// - Parameters:
  ///   - points: Finds what the script has overridden under the name.
  ///   - name: Without `ORIG`.
  /// - Throws: If the name is not that of the running override.
  func standInOriginal(
    _ points: () throws(LuaRaise) -> [PointOverrides], _ name: String
  ) throws(LuaRaise) -> Int32? {
    guard let reference = types.standInOriginal else { return nil }
    let running = ActiveCall.innermost?.pointee.overrides(in: state)
    let found = try points()
    guard let running, found.contains(where: { $0 === running }) else {
      throw .message(state.refusal(of: "it would call \(name)"))
    }
    return reference
  }
}
