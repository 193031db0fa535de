// SPDX-License-Identifier: MIT

internal import WaxwingBridge
internal import WaxwingLua
internal import WaxwingReflection

/// The files of a script that `require` finds, and the modules of the program that the script waits for.
///
/// The thread that loads the script sets the files; the thread that has entered the state reads them.
package final class ScriptModules {
  private unowned let runtime: ScriptRuntime
  private var files: [String: ScriptSource] = [:]
  /// The modules that the script waits for with `when_loaded`. Any thread.
  package let late = LateModules()

  init(_ runtime: ScriptRuntime) {
    self.runtime = runtime
  }

  func add(_ sources: some Sequence<ScriptSource>) {
    for source in sources { files[source.module] = source }
  }

  func file(named name: String) -> ScriptSource? { files[name] }

  /// The names that `require` finds in the script's folder, sorted.
  var names: [String] { files.keys.sorted() }

  /// Runs what the script has for modules that are there now, which may declare overrides. If a
  /// function fails, the overrides that it has declared are taken back, and the fault is reported with
  /// the option `callbackFailed`. Any thread, at any time: nothing happens once the script has ended.
  /// - Returns: Whether there was anything to run.
  package func runLoaded() -> Bool {
    let program = runtime.resolver.program
    program.refresh()
    let ready = late.takeLoaded(program.hasModule)
    if ready.isEmpty { return false }
    _ = runtime.functions.inCall(of: "when_loaded") { state in
      for entry in ready { state.entered { run(entry) } }
    }
    return true
  }

  private func run(_ entry: LateModules.Entry) {
    let known = runtime.overrides.all
    do throws(LuaFailure) {
      try runtime.declarations.declaring { () throws(LuaFailure) in
        try runtime.withCoroutine { coroutine throws(LuaFailure) in
          _ = try coroutine.call(entry.reference)
        }
      }
    } catch {
      for override in runtime.overrides.all.reversed()
      where !known.contains(where: { $0 === override }) {
        runtime.overrides.withdraw(override)
      }
      let fault = OverrideFault(
        function: "when_loaded(\"\(entry.module)\")", message: error.message, frames: error.frames,
        position: error.position ?? entry.declaredAt)
      runtime.state.suspended { runtime.options.host.callbackFailed(fault) }
    }
  }
}
