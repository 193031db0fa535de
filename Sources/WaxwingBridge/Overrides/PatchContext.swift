// SPDX-License-Identifier: MIT

package import CWaxwingLua
package import WaxwingLua
package import WaxwingReflection

/// The parts of one patch that overrides, calls and scripts share: its Lua state, its options, its
/// overrides, its plans, its tasks, and its calls that wait.
///
/// Scripts are a subclass in a higher layer: overrides and calls know nothing of names and types.
/// Unchecked: the state's lock guards what changes, unless a property or a part says otherwise.
open class PatchContext: @unchecked Sendable {
  let program: RunningProgram
  /// The context's Lua state. It is never nil after `open`, and optional because its hooks need
  /// `self`. Unchecked: set once, in `open`.
  @exclusivity(unchecked) package private(set) var state: LuaState!
  /// The script's functions that Swift holds. Never nil after `open`, like the state.
  /// Unchecked: set once, in `open`.
  @exclusivity(unchecked) package private(set) var functions: LuaFunctions!
  /// The callback that runs a Lua function that stands for a Swift closure.
  private(set) var closureCallback: UnsafeMutablePointer<wax_lua_callback>!
  package let sharedOptions: SharedOptions
  package var options: ScriptOptions { sharedOptions.value }
  /// The calls of its functions that may wait. Any thread.
  package let activities = Activities()
  /// The tasks that it has started. Any thread.
  package final let tasks: ScriptTasks

  // Everything below: only by the thread that has entered the state, or while one thread alone
  // knows the script.
  package final let overrides = ScriptOverrides()
  package final let plans: ScriptPlans
  package var waits = Waits()
  package var continuations = Continuations()
  /// Lua functions that make default values, by the Lua expression.
  var defaultMakers: [String: Int32] = [:]
  /// Whether the pushed values are the arguments of a call that may continue on another thread.
  var pushesForAsync = false
  package var isLoading = false

  package init(_ program: RunningProgram, _ options: ScriptOptions) throws {
    self.program = program
    sharedOptions = SharedOptions(options)
    tasks = ScriptTasks(options)
    plans = ScriptPlans(program)
    overrides.context = self
    StoredFunctions.look(in: program)
    OverrideLayers.install()
  }

  /// Makes the Lua state.
  /// - Parameter hooks: Their context is this object.
  /// - Throws: `LuaStateError`, or `LuaFailure` if the memory limit does not hold the libraries.
  package func open(_ hooks: wax_proxy_hooks) throws {
    state = try LuaState(
      memoryLimit: options.memoryLimit, libraries: options.libraries, hooks: hooks)
    wax_lua_state_set_name(state.handle, options.name)
    functions = LuaFunctions(state, sharedOptions)
    functions.patch = self
    if let hooks = LuaClosure.cycleHooks(of: functions) { state.setCycleHooks(hooks) }
    closureCallback = state.register { [unowned state] (call) throws(LuaRaise) in
      guard let state else { return }
      try SwiftClosure.run(&call, in: state)
    }
    closureCallback.pointee.closure = wax_call_run_closure
  }

  /// The type object of a type, by its reference in Lua; nil: it has none.
  open func staticTypeObject(of type: any Any.Type) -> Int32? { nil }

  /// The type that the script has written, such as `[String: Int]`; nil: there is none of this name.
  open func type(written text: String) -> (any Any.Type)? { nil }

  /// The context of the patch whose values a buffer carries.
  static func context(of buffer: UnsafeMutablePointer<wax_lua_buffer>) -> PatchContext? {
    buffer.pointee.L.flatMap { context(of: wax_lua_state_of($0)) }
  }

  static func context(of state: LuaState) -> PatchContext? { context(of: state.handle) }

  /// The context of the patch whose Lua code calls.
  static func context(of call: LuaCall) -> PatchContext? { context(of: call.raw.pointee.state) }

  package static func context(of state: OpaquePointer?) -> PatchContext? {
    wax_lua_state_context(state).map {
      Unmanaged<PatchContext>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Runs `body` with a coroutine; the state must be entered.
  package func withCoroutine<Result>(
    _ body: (LuaCoroutine) throws(LuaFailure) -> Result
  ) throws(LuaFailure) -> Result {
    guard let coroutine = LuaCoroutine(state) else { throw .noMemory }
    defer { coroutine.release() }
    return try body(coroutine)
  }
}
