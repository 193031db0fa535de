// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import CWaxwingProcess
package import Synchronization
package import WaxwingBridge
package import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// One script with its Lua state, from loading to closing. Its parts keep its declarations, classes
/// and types.
///
/// Overrides are declared while the script loads; advice may be added and removed at any time.
/// Unchecked: the state's lock guards what changes, unless a property or a part says otherwise.
package final class ScriptRuntime: PatchContext, @unchecked Sendable {
  package let resolver: NameResolver
  // The parts are never nil after `init`; they are optional because they refer to `self`.
  private(set) var types: ScriptTypes!
  package private(set) var classes: ScriptClasses!
  package private(set) var declarations: ScriptDeclarations!
  package private(set) var callbacks: ScriptCallbacks!
  package private(set) var questions: ScriptQuestions!
  package private(set) var modules: ScriptModules!
  /// The callback that stands for the elements of an asynchronous sequence.
  private(set) var elementCallback: UnsafeMutablePointer<wax_lua_callback>!

  // Both below: only by the thread that has entered the state, or while one thread alone knows the
  // script.
  /// The same script in the other states of a parallel patch.
  var replicas: [ScriptRuntime] = []
  var isClosed = false
  /// The number of calls for which an operator's expression failed to tell whether they are
  /// selected. Any thread.
  package let failedExpressions = Atomic(0)
  /// The debugger's side; nil if there has never been a debugger.
  var debugger: ScriptDebugger?

  /// - Throws: `LuaStateError`, or `LuaFailure` if the memory limit does not hold the prelude.
  package init(_ resolver: NameResolver, _ options: ScriptOptions) throws {
    self.resolver = resolver.leavingOut { [program = resolver.program] function in
      MissingInitializers.contains(function, in: program)
    }
    try super.init(resolver.program, options)
    let classes = ScriptClasses(self)
    self.classes = classes
    types = ScriptTypes(self)
    declarations = ScriptDeclarations(self)
    callbacks = ScriptCallbacks(self)
    questions = ScriptQuestions(self)
    modules = ScriptModules(self)
    overrides.classPoint = { [unowned classes] in classes.nearestPoint(of: $0, below: $1, from: $2)
    }
    try open(hooks)
    elementCallback = state.register { (call) throws(LuaRaise) in
      try PreludeBindings.findNext(&call)
    }
    wax_lua_set_limits(state.handle, options.callLimits.raw)
    wax_lua_set_limits(state.handle, options.loadLimits.raw)
    if options.selection?.refusesEffects == true { state.refuseEffects() }
    if options.allowsWeakTables { wax_lua_allow_weak_tables(state.handle) }
    try PreludeBindings(self).install()
  }

  /// Messages about overrides with parameters that no call fills, `overdraft.lua:3: …`.
  var superfluousParameters: [String] = []

  /// Notes about the overridden functions, which can be overridden all the same.
  package var notes: [String] {
    superfluousParameters
      + overrides.all.compactMap { override in
        let function = override.function
        let note = override.isolationNote ?? InPlaceWrites.note(of: function, in: resolver.program)
        return note.map { "\(function.declaration.pointName): \($0)" }
      }.uniqued
  }

  /// Whether the script has the process to itself, rather than being a guest in a program.
  var isWholeProgram: Bool { options.libraries == WAX_LIBRARY_LIBRARIES_FULL }

  /// Runs the first file; the script can `require` the others.
  /// - Throws: `LuaFailure`. The overrides declared so far must not be used then.
  package func load(_ files: [ScriptSource]) throws(LuaFailure) {
    guard let main = files.first else { return }
    modules.add(files.dropFirst())
    isLoading = true
    defer {
      isLoading = false
      wax_lua_set_limits(state.handle, options.callLimits.raw)
    }
    try run(main)
    try classes.finish()
    state.entered { plans.loaded() }
    collectChunks()
  }

  /// Runs the first file as a program of its own, which can wait, on the main actor. Tasks that it
  /// has begun may be running afterwards.
  package func runProgram(_ files: [ScriptSource], arguments: [String]) async throws(LuaFailure) {
    guard let main = files.first else { return }
    modules.add(files.dropFirst())
    isLoading = true
    defer { isLoading = false }
    let chunk = try state.entered { () throws(LuaFailure) in try compile(main.text, "@" + main.name)
    }
    let program = ProgramActivity(chunk, arguments, in: self)
    await program.run()
    if let failure = program.failure { throw failure }
  }

  package override func staticTypeObject(of type: any Any.Type) -> Int32? {
    types.staticTypeObject(of: type)
  }

  package override func type(written text: String) -> (any Any.Type)? {
    try? WrittenType(resolver: resolver).type(text)
  }

  private func run(_ main: ScriptSource) throws(LuaFailure) {
    try state.entered { () throws(LuaFailure) in
      let reference = try compile(main.text, "@" + main.name)
      defer { wax_lua_unreference(state.handle, reference) }
      try withCoroutine { coroutine throws(LuaFailure) in _ = try coroutine.call(reference) }
    }
  }

  /// The size in bytes above which the collector's own pace has to do: a collection takes a
  /// millisecond for each megabyte.
  private static let mostCollectedAtOnce = 4 << 20

  /// Collects the values that only loading needed: the chunks of the prelude and of the script.
  private func collectChunks() {
    if state.memory > Self.mostCollectedAtOnce { return }
    state.entered { wax_lua_collect(state.handle) }
  }

  /// Compiles text to a chunk; the state must be entered.
  /// - Parameters:
  ///   - name: As Lua wants it: "@main.lua".
  ///   - environment: The global variable that holds the chunk's environment; nil: Lua's own.
  func compile(
    _ text: [UInt8], _ name: String, environment: String? = PreludeBindings.environment
  ) throws(LuaFailure) -> Int32 {
    try withCoroutine { coroutine throws(LuaFailure) in
      var failure: LuaFailure?
      var reference: Int32 = 0
      text.withUnsafeBytes { bytes in
        do throws(LuaFailure) {
          reference = try coroutine.load(bytes, chunkName: name, environment: environment)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      return reference
    }
  }
}

// MARK: - The runtime of a Lua state

extension ScriptRuntime {
  /// The runtime whose values a buffer carries.
  static func of(_ buffer: UnsafeMutablePointer<wax_lua_buffer>) -> ScriptRuntime? {
    buffer.pointee.L.flatMap { of(wax_lua_state_of($0)) }
  }

  /// The script of the Lua code that calls.
  static func of(_ call: LuaCall) -> ScriptRuntime? { of(call.raw.pointee.state) }

  static func of(_ state: OpaquePointer?) -> ScriptRuntime? {
    context(of: state).map { unsafeDowncast($0, to: ScriptRuntime.self) }
  }

  private var hooks: wax_proxy_hooks {
    wax_proxy_hooks(
      release: { kind, pointer, type in ProxyContents.release(kind, pointer, type) },
      make_metatable: { context, L, type, kind in
        guard let context, let L else { return false }
        return Unmanaged<ScriptRuntime>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.types.defineMetatable(L, type, kind)
        }
      },
      context: Unmanaged.passUnretained(self).toOpaque(),
      make_type_object: { context, _, type in
        guard let context, let type else { return }
        Unmanaged<ScriptRuntime>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.types.makeTypeObject(of: TypeMetadata.type(at: type))
        }
      }, current_thread: wax_process_current_thread)
  }
}
