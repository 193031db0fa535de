// SPDX-License-Identifier: MIT

package import WaxwingLua
internal import WaxwingOverrides

/// The functions that the script has given to `on(event, f)`. They run on the thread that starts or
/// ends the patch.
extension ScriptRuntime {
  /// Runs the functions for an event in the order of declaration, up to one that fails.
  package func run(_ event: ScriptEvent) throws(LuaFailure) {
    for reference in callbacks(for: event) { try run(reference) }
  }

  /// Runs all functions for an event in the order of declaration. Those that fail are reported to
  /// the host.
  package func runAll(_ event: ScriptEvent) {
    if event == .started { isLive = true }
    for reference in callbacks(for: event) {
      do throws(LuaFailure) {
        try run(reference)
      } catch {
        options.host.callbackFailed(
          OverrideFault(
            function: "on(\"\(event.rawValue)\")", message: error.message, frames: error.frames,
            position: error.position))
      }
    }
  }

  private func run(_ reference: Int32) throws(LuaFailure) {
    try state.entered { () throws(LuaFailure) in
      try withCoroutine { coroutine throws(LuaFailure) in _ = try coroutine.call(reference) }
    }
  }
}
