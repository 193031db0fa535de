// SPDX-License-Identifier: MIT

internal import CWaxwingCalls
internal import CWaxwingLua
package import CWaxwingProxies
package import Synchronization
package import WaxwingLua
package import WaxwingPlans
package import WaxwingReflection

/// What overrides, calls and scripts share of one patch: its Lua state, its options, what it has
/// overridden, and its calls that wait.
///
/// Scripts are a subclass in a higher layer: overrides and calls know nothing of names and types.
/// Unchecked: the state's lock guards what changes, unless a property says otherwise.
open class PatchContext: @unchecked Sendable {
  package let program: RunningProgram
  /// Never nil after `open`; optional because its hooks need `self`.
  package private(set) var state: LuaState!
  /// The script's functions that Swift holds. Never nil after `open`, like the state.
  package private(set) var functions: LuaFunctions!
  /// What a Lua function runs that stands for a Swift closure.
  private(set) var closureCallback: UnsafeMutablePointer<wax_lua_callback>!
  package let sharedOptions: SharedOptions
  package var options: ScriptOptions { sharedOptions.value }
  /// The calls of its functions that may wait. Any thread.
  package let activities = Activities()
  /// The tasks that it has started. Any thread.
  package let tasks = ScriptTasks()
  package let quota: TaskQuota
  package let share: TaskShare
  package let failedTasks = Atomic(0)
  package let cancelledTasks = Atomic(0)

  // Everything below: only by the thread that has entered the state, or while one thread alone
  // knows the script.
  /// In the order of declaration, but the advice around a point after what it is around. Without
  /// those that were removed.
  package var overrides: [Override] = []
  package var points: [RunningFunction: PointOverrides] = [:]
  /// Those that have, or had, an override, in order.
  /// Unchecked: used by the thread that has entered the state.
  @exclusivity(unchecked) package var overriddenPoints: [PointOverrides] = [] {
    didSet { overriddenCount.value = Int64(overriddenPoints.count) }
  }
  /// What a class that the script has made overrides of a method, for a class between its own and a
  /// superclass as which an object is seen; the script sets it.
  package var classPoint:
    (_ of: RunningFunction, _ below: any Any.Type, _ from: any Any.Type)
      -> PointOverrides? = { _, _, _ in nil }
  /// How many there are, for C.
  package let overriddenCount = OwnedCount()
  package var waits = Waits()
  /// Whether what is pushed are the arguments of a call that may go on on another thread.
  var pushesForAsync = false
  package var isLoading = false
  private var continuations: [Int: Latch] = [:]
  private var continuationsMade = 0
  private var plans: [RunningFunction: CallPlan] = [:]
  private var generics: [RunningFunction: GenericFunction] = [:]

  package init(_ program: RunningProgram, _ options: ScriptOptions) throws {
    self.program = program
    sharedOptions = SharedOptions(options)
    quota = TaskQuota(options.tasks)
    share = TaskShare(options.taskShare)
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
    functions.runtime = self
    if let hooks = LuaClosure.cycleHooks(of: functions) { state.setCycleHooks(hooks) }
    closureCallback = state.register { [unowned state] (call) throws(LuaRaise) in
      guard let state else { return }
      try SwiftClosure.run(&call, in: state)
    }
    closureCallback.pointee.closure = wax_call_run_closure
  }

  /// The type object of a type, by its reference in Lua; nil: it has none.
  open func staticTypeObject(of type: any Any.Type) -> Int32? { nil }

  /// That whose values a buffer carries.
  static func context(of buffer: UnsafeMutablePointer<wax_lua_buffer>) -> PatchContext? {
    buffer.pointee.L.flatMap { context(of: wax_lua_state_of($0)) }
  }

  package static func context(of state: LuaState) -> PatchContext? { context(of: state.handle) }

  /// That of the Lua code that calls.
  static func context(of call: LuaCall) -> PatchContext? { context(of: call.raw.pointee.state) }

  package static func context(of state: OpaquePointer?) -> PatchContext? {
    wax_lua_state_context(state).map {
      Unmanaged<PatchContext>.fromOpaque($0).takeUnretainedValue()
    }
  }

  func countCancelledTask() { cancelledTasks.wrappingAdd(1, ordering: .relaxed) }

  /// Runs `body` with a coroutine; the state must be entered.
  package func withCoroutine<Result>(
    _ body: (LuaCoroutine) throws(LuaFailure) -> Result
  ) throws(LuaFailure) -> Result {
    guard let coroutine = LuaCoroutine(state) else {
      throw LuaFailure(
        kind: .noMemory, message: "not enough memory", rawMessage: "", frames: [], swiftError: nil)
    }
    defer { coroutine.release() }
    return try body(coroutine)
  }
}

// MARK: - Plans

extension PatchContext {
  /// The plan for calls.
  package func plan(_ function: RunningFunction) throws(PlanError) -> CallPlan {
    if let plan = plans[function] { return plan }
    let plan = try CallPlan(function, bound: nil, in: program, .readForCalls)
    plans[function] = plan
    return plan
  }

  /// The plan for calls on values of this type.
  package func plan(_ function: RunningFunction, on type: any Any.Type) throws(PlanError)
    -> CallPlan
  {
    if let generic = try generic(function) { return try generic.plan(on: type) }
    return try plan(function)
  }

  /// The plan for calls on the value that the reader stands at.
  package func plan(
    _ function: RunningFunction, on receiver: LuaReader
  ) throws(PlanError) -> CallPlan {
    if let generic = try generic(function) { return try generic.plan(receiver: receiver, .empty) }
    return try plan(function)
  }

  /// The plans of a generic function; nil if it is not one.
  package func generic(
    _ function: RunningFunction, stated: SelfKind? = nil
  ) throws(PlanError) -> GenericFunction? {
    if let known = generics[function] { return known }
    if plans[function] != nil { return nil }
    let made = try GenericFunction(function, in: program, stated: stated)
    if let made { generics[function] = made }
    return made
  }
}

// MARK: - Continuations

extension PatchContext {
  package func addContinuation() -> Int {
    continuationsMade += 1
    continuations[continuationsMade] = Latch()
    return continuationsMade
  }

  package func continuation(_ number: Int) -> Latch? { continuations[number] }
  package func removeContinuation(_ number: Int) { continuations[number] = nil }

  package func endContinuations() { continuations = [:] }
}
