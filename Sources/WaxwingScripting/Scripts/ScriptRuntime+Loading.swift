// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingNames
internal import WaxwingOverrides
internal import WaxwingReflection

extension ScriptRuntime {
  /// Runs what the script has for modules that are there now, which may declare overrides. If a
  /// function fails, the overrides that it has declared are taken back, and the fault is reported with
  /// the option `callbackFailed`. Any thread, at any time: nothing happens once the script has ended.
  /// - Returns: Whether there was anything to run.
  package func runLoaded() -> Bool {
    resolver.program.refresh()
    let ready = lateModules.takeLoaded(resolver.program.hasModule)
    if ready.isEmpty { return false }
    _ = functions.inCall(of: "when_loaded") { state in
      for entry in ready { state.entered { run(entry) } }
    }
    return true
  }

  private func run(_ entry: LateModules.Entry) {
    let known = overrides
    do throws(LuaFailure) {
      try declaring { () throws(LuaFailure) in
        try withCoroutine { coroutine throws(LuaFailure) in _ = try coroutine.call(entry.reference)
        }
      }
    } catch {
      for override in overrides.reversed() where !known.contains(where: { $0 === override }) {
        withdraw(override)
      }
      let fault = OverrideFault(
        function: "when_loaded(\"\(entry.module)\")", message: error.message, frames: error.frames,
        position: error.position ?? entry.declaredAt)
      state.suspended { options.host.callbackFailed(fault) }
    }
  }
}

extension PreludeBindings {
  /// (module, function) -> whether the module is there; if not, the function is kept for then.
  func waitForModule(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let module = reader.displayString(reader.read()) ?? ""
    guard runtime.mayDeclare else {
      throw .message("`when_loaded` works while the patch loads; it comes too late")
    }
    let isThere = runtime.resolver.program.hasModule(module)
    call.writer.boolean(isThere)
    if isThere { return }
    if runtime.isWholeProgram {
      throw .message("there is no module `\(module)`; load it with import \"\(module)\"")
    }
    guard ModuleLoading.isWatched else {
      throw .message(
        "the program has its own `dlopen`, so Waxwing does not notice when `\(module)` is loaded")
    }
    guard let reference = call.reference(toArgument: 1) else { throw .message("not enough memory") }
    runtime.lateModules.add(
      LateModules.Entry(module: module, reference: reference, declaredAt: call.position()))
  }

  /// (name of a type or module) -> its class version
  func findVersion(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    let owner = try named { () throws(NameError) in
      try runtime.resolver.typeOrModule(named: name)
    }
    call.writer.integer(runtime.options.host.classVersion(of: owner))
  }
}
