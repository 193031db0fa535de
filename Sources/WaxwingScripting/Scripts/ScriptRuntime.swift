// SPDX-License-Identifier: MIT

internal import CWaxwingCalls
internal import CWaxwingLua
internal import CWaxwingLuaLibrary
internal import CWaxwingProcess
internal import CWaxwingProxies
internal import Glibc
internal import Synchronization
internal import WaxwingCalls
package import WaxwingConformances
internal import WaxwingDeclarations
package import WaxwingLua
internal import WaxwingLuaSources
internal import WaxwingMetadata
package import WaxwingNames
package import WaxwingOverrides
internal import WaxwingPlans
internal import WaxwingReflection
internal import WaxwingValues

/// One script with its Lua state: loads it, collects the overrides that it declares, and gives Lua
/// its view of the program's types.
///
/// Overrides are declared while the script loads; advice may be added and removed at any time.
/// Unchecked: the state's lock guards what changes, unless a property says otherwise.
package final class ScriptRuntime: PatchContext, @unchecked Sendable {
  /// A file of the script.
  package struct Source: Sendable {
    /// `overdraft.lua`; modules of a folder by their path in it.
    package let name: String
    /// What `require` calls it: `rules.limits`.
    package let module: String
    package let text: [UInt8]

    package init(name: String, module: String, text: [UInt8]) {
      self.name = name
      self.module = module
      self.text = text
    }
  }

  /// What a Lua function runs that stands for the elements of an asynchronous sequence.
  private(set) var elementCallback: UnsafeMutablePointer<wax_lua_callback>!
  package let resolver: NameResolver
  /// What the script waits for. Any thread.
  package let lateModules = LateModules()
  let messages = ScriptMessages()

  // Everything below: only by the thread that has entered the state, or while one thread alone
  // knows the script.
  var numberedPoints: [PointOverrides] = []
  /// Of a parallel patch: the same script in other states.
  var replicas: [ScriptRuntime] = []
  /// How many functions of `when_loaded` are running.
  private var declaring = 0
  private(set) var isClosed = false
  private var modules: [String: Source] = [:]
  private var liveFacade: LiveMembers?
  private var facades: [UnsafeRawPointer: InstanceMembers] = [:]
  private var staticTypeObjects: [NominalType: Int32] = [:]
  var fields = FieldDeclarations()
  /// Any thread may read them once the script has loaded.
  package internal(set) var methods = MethodDeclarations()
  /// The classes that it makes, in order, and by their types.
  var classes: [ScriptClass] = []
  var classesByType: [ObjectIdentifier: ScriptClass] = [:]
  /// The description of a field that is nil where it has not been set, for C.
  var emptyField: Int32?
  /// The Lua function that is called when the script has loaded.
  var finisher: Int32 = 0
  /// The conformances that the script gives to types, in the order of declaration.
  package internal(set) var conformances: [DeclaredConformance] = []
  private var callbacks: [ScriptEvent: [Int32]] = [:]
  /// Whether the patch has started, and so will have ended.
  var isLive = false
  private(set) lazy var operators = OperatorTable(self)
  /// The Lua function that makes the type object of a type by its name; 0: there is none yet.
  var makeTypeObject: Int32 = 0

  /// - Throws: `LuaStateError`, or `LuaFailure` if the memory limit does not hold the prelude.
  package init(_ resolver: NameResolver, _ options: ScriptOptions) throws {
    self.resolver = resolver
    try super.init(resolver.program, options)
    classPoint = { [unowned self] in nearestPoint(of: $0, below: $1, from: $2) }
    try open(hooks)
    elementCallback = state.register { (call) throws(LuaRaise) in
      try PreludeBindings.findNext(&call)
    }
    wax_lua_set_limits(state.handle, options.callLimits.raw)
    wax_lua_set_limits(state.handle, options.loadLimits.raw)
    if options.allowsWeakTables { wax_lua_allow_weak_tables(state.handle) }
    try PreludeBindings(self).install()
  }

  /// Runs the first file; the others are what it can `require`.
  /// - Throws: `LuaFailure`. The overrides declared so far must not be used then.
  package func load(_ files: [Source]) throws(LuaFailure) {
    guard let main = files.first else { return }
    for module in files.dropFirst() { modules[module.module] = module }
    isLoading = true
    defer {
      isLoading = false
      wax_lua_set_limits(state.handle, options.callLimits.raw)
    }
    try run(main)
    try finish()
    collectChunks()
  }

  /// Lets the prelude do what has to wait until the script has declared everything.
  private func finish() throws(LuaFailure) {
    guard !classes.isEmpty else { return }
    try state.entered { () throws(LuaFailure) in
      try withCoroutine { coroutine throws(LuaFailure) in _ = try coroutine.call(finisher) }
    }
  }

  /// Runs the first file as a program of its own, which can wait, on the main actor. What it has begun
  /// may be running afterwards.
  package func runProgram(_ files: [Source], arguments: [String]) async throws(LuaFailure) {
    guard let main = files.first else { return }
    for module in files.dropFirst() { modules[module.module] = module }
    isLoading = true
    defer { isLoading = false }
    let chunk = try state.entered { () throws(LuaFailure) in try compile(main.text, "@" + main.name)
    }
    let program = ProgramActivity(chunk, arguments, in: self)
    await program.run()
    if let failure = program.failure { throw failure }
  }

  /// Whether overrides may be assigned now.
  var mayDeclare: Bool { isLoading || declaring > 0 }

  /// Runs `body`, in which overrides may be assigned; the state is entered.
  func declaring<Result>(_ body: () throws(LuaFailure) -> Result) throws(LuaFailure) -> Result {
    declaring += 1
    defer { declaring -= 1 }
    return try body()
  }

  /// Bytes that the Lua state holds.
  package var memory: Int {
    replicas.reduce(isClosed ? 0 : state.memory) { $0 + $1.memory }
  }

  /// The most bytes that its Lua states ever held.
  package var mostMemory: Int {
    replicas.reduce(isClosed ? 0 : state.mostMemory) { $0 + $1.mostMemory }
  }

  /// The Lua functions that a thread's calls are in, innermost first; nil if Lua code was running for
  /// longer than that.
  package func traceback(ofThread thread: UInt64, waitAtMost milliseconds: UInt32) -> [LuaFrame]? {
    if isClosed { return [] }
    guard let frames = state.traceback(ofThread: thread, waitAtMost: milliseconds) else {
      return nil
    }
    if !frames.isEmpty { return frames }
    for replica in replicas {
      let frames = replica.traceback(ofThread: thread, waitAtMost: milliseconds)
      if frames?.isEmpty != true { return frames }
    }
    return []
  }

  /// What Lua holds of the program's objects and values.
  package func heldValues() -> HeldValues {
    if isClosed { return HeldValues() }
    return replicas.reduce(HeldValues(state)) { $0.adding($1.heldValues()) }
  }

  package override func staticTypeObject(of type: any Any.Type) -> Int32? {
    knownOrMadeTypeObject(of: type)
  }

  /// The runtime whose values a buffer carries.
  static func of(_ buffer: UnsafeMutablePointer<wax_lua_buffer>) -> ScriptRuntime? {
    buffer.pointee.L.flatMap { of(wax_lua_state_of($0)) }
  }

  /// That of the Lua code that calls.
  static func of(_ call: LuaCall) -> ScriptRuntime? { of(call.raw.pointee.state) }

  static func of(_ state: OpaquePointer?) -> ScriptRuntime? {
    context(of: state).map { unsafeDowncast($0, to: ScriptRuntime.self) }
  }

  /// Ends the script's functions, then runs its callbacks for `ended` and closes the Lua state if no
  /// call is in them any more, which this waits for.
  /// - Precondition: No call is in an override of it, and none will be.
  /// - Returns: Whether it is closed. If not, call it again.
  package func close(atMost duration: Duration) -> Bool {
    endFunctions(atMost: duration)
    _ = endActivities(atMost: .zero)
    guard isUnused else { return false }
    for script in all { script.close() }
    return true
  }

  /// What came of its tasks so far.
  package var taskCounts: TaskCounts {
    all.reduce(into: TaskCounts()) { counts, script in
      counts.live += script.quota.live
      counts.failed += script.failedTasks.load(ordering: .relaxed)
      counts.cancelled += script.cancelledTasks.load(ordering: .relaxed)
    }
  }

  private func close() {
    if isClosed { return }
    if isLive { functions.withLateCalls { runAll(.ended) } }
    isClosed = true
    endClasses()
    wax_call_async_calls_close(state.handle)
    state.close()
    _ = waits.forget()
    endContinuations()
    facades = [:]
    overrides = []
    // A point and what calls its original hold each other.
    for point in Array(points.values) + overriddenPoints + classes.flatMap(\.points.values) {
      point.callable = nil
    }
    points = [:]
    overriddenPoints = []
    numberedPoints = []
  }

  private func run(_ main: Source) throws(LuaFailure) {
    try state.entered { () throws(LuaFailure) in
      let reference = try compile(main.text, "@" + main.name)
      defer { wax_lua_unreference(state.handle, reference) }
      try withCoroutine { coroutine throws(LuaFailure) in _ = try coroutine.call(reference) }
    }
  }

  /// Above this, in bytes, the collector's own pace has to do: a collection takes a millisecond for each
  /// megabyte.
  private static let mostCollectedAtOnce = 4 << 20

  /// What only loading needed, the chunks of the prelude and of the script, is garbage now.
  private func collectChunks() {
    if state.memory > Self.mostCollectedAtOnce { return }
    state.entered { wax_lua_collect(state.handle) }
  }

  /// What came of a piece of a script.
  package enum Evaluation {
    case done
    /// The text is the beginning of something: more has to follow.
    case incomplete
    case failed(LuaFailure)
  }

  /// Runs what was typed, an expression or statements, and prints what it returns. Only where the
  /// script has all of Lua's libraries. SIGINT stops it.
  /// - Parameter name: What messages call it.
  package func evaluate(_ text: String, name: String) -> Evaluation {
    do throws(LuaFailure) {
      return try state.entered { () throws(LuaFailure) -> Evaluation in
        guard let chunk = try compile(piece: text, name) else { return .incomplete }
        defer { wax_lua_unreference(state.handle, chunk) }
        let show = try load("return _G['waxwing.show'](...)", "=" + WAX_LUA_PRELUDE, nil)
        defer { wax_lua_unreference(state.handle, show) }
        try withCoroutine { coroutine throws(LuaFailure) in
          wax_lua_begin_interruptible(coroutine.raw.pointee.L)
          defer { wax_lua_end_interruptible() }
          coroutine.writer.reference(chunk)
          _ = try coroutine.call(show)
        }
        return .done
      }
    } catch {
      return .failed(error)
    }
  }

  /// The words that one which was begun may be in a script: `url.host` of `url.h`.
  package func completions(of text: String) -> [String] {
    let found = try? state.entered { () throws(LuaFailure) -> [String] in
      let complete = try load("return _G['waxwing.complete'](...)", "=" + WAX_LUA_PRELUDE, nil)
      defer { wax_lua_unreference(state.handle, complete) }
      return try withCoroutine { coroutine throws(LuaFailure) in
        coroutine.writer.string(text)
        let count = try coroutine.call(complete)
        var reader = coroutine.reader
        return (0..<count).compactMap { _ in reader.displayString(reader.read()) }
      }
    }
    return found ?? []
  }

  /// nil if the text is incomplete. An expression is the second result: see `waxwing.show`.
  private func compile(piece text: String, _ name: String) throws(LuaFailure) -> Int32? {
    if let chunk = try? load("return nil, " + text, "=" + name, PreludeBindings.environment) {
      return chunk
    }
    do throws(LuaFailure) {
      return try load(text, "=" + name, PreludeBindings.environment)
    } catch {
      if error.message.hasSuffix("near <eof>") { return nil }
      throw error
    }
  }

  private func load(
    _ text: String, _ name: String, _ environment: String?
  ) throws(LuaFailure) -> Int32 {
    try withCoroutine { coroutine throws(LuaFailure) in
      var failure: LuaFailure?
      var reference: Int32 = 0
      Array(text.utf8).withUnsafeBytes { bytes in
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

  /// Compiles a file for the script's environment; the state must be entered.
  /// - Parameter name: As Lua wants it: "@main.lua".
  func compile(_ text: [UInt8], _ name: String) throws(LuaFailure) -> Int32 {
    try withCoroutine { coroutine throws(LuaFailure) in
      var failure: LuaFailure?
      var reference: Int32 = 0
      text.withUnsafeBytes { bytes in
        do throws(LuaFailure) {
          reference = try coroutine.load(
            bytes, chunkName: name, environment: PreludeBindings.environment)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      return reference
    }
  }

  func module(named name: String) -> Source? { modules[name] }

  /// What `require` finds, sorted.
  var moduleNames: [String] { modules.keys.sorted() }
}

// MARK: - What the script declares and uses

extension ScriptRuntime {
  func addCallback(_ reference: Int32, for event: ScriptEvent) {
    callbacks[event, default: []].append(reference)
  }

  func callbacks(for event: ScriptEvent) -> [Int32] { callbacks[event] ?? [] }

  func setStaticTypeObject(_ reference: Int32, of type: NominalType) {
    staticTypeObjects[type] = reference
  }
  func staticTypeObject(of type: NominalType) -> Int32? { staticTypeObjects[type] }

  /// That of a type that comes from Swift; nil: it has none of its own.
  private func knownOrMadeTypeObject(of type: any Any.Type) -> Int32? {
    if let known = scriptClass(type) { return known.staticTypeObject }
    guard let known = named(type)?.nominal else { return nil }
    if staticTypeObjects[known] == nil { makeTypeObject(type) }
    return staticTypeObjects[known]
  }

  /// Whether the script has the process to itself, rather than being a guest in a program.
  var isWholeProgram: Bool { options.libraries == WAX_LIBRARY_LIBRARIES_FULL }

  private var hooks: wax_proxy_hooks {
    wax_proxy_hooks(
      release: { kind, pointer, type in ProxyContents.release(kind, pointer, type) },
      make_metatable: { context, L, type, kind in
        guard let context, let L else { return false }
        return Unmanaged<ScriptRuntime>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.defineMetatable(L, type, kind)
        }
      },
      context: Unmanaged.passUnretained(self).toOpaque(),
      make_type_object: { context, _, type in
        guard let context, let type else { return }
        Unmanaged<ScriptRuntime>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.makeTypeObject(TypeMetadata.type(at: type))
        }
      }, current_thread: wax_process_current_thread)
  }

  /// Only a class, struct or enum has a type object by its own name: not a generic type's instance, which
  /// shares its name with others.
  private func makeTypeObject(_ type: any Any.Type) {
    guard makeTypeObject != 0, let known = named(type) else { return }
    // What goes wrong leaves the type without a type object.
    _ = try? withCoroutine { coroutine throws(LuaFailure) in
      coroutine.writer.string(resolver.canonicalName(of: known))
      return try coroutine.call(makeTypeObject)
    }
  }

  /// The type of this name, if that means just this type.
  private func named(_ type: any Any.Type) -> RunningType? {
    guard
      let known = TypeMetadata.descriptor(of: type).flatMap(resolver.program.type(withDescriptor:)),
      resolver.program.runtimeType(known.node) == type
    else { return nil }
    return known
  }

  private func defineMetatable(_ L: OpaquePointer, _ type: UnsafeRawPointer?, _ kind: UInt32)
    -> Bool
  {
    guard let type else {
      return kind == WAX_PROXY_KIND_METATYPE.rawValue
        ? MetatypeMembers(state).define(L, kind) : ErrorMembers(self).define(L, kind)
    }
    if type == TypeMetadata.pointer(to: LiveCollection.self) {
      let live = LiveMembers(state)
      liveFacade = live
      return live.define(L)
    }
    return facade(of: TypeMetadata.type(at: type))
      .define(L, isSuper: kind == WAX_PROXY_KIND_SUPER.rawValue)
  }

  /// What Lua sees of a type's instances.
  func facade(of type: any Any.Type) -> InstanceMembers {
    let key = TypeMetadata.pointer(to: type)
    if let facade = facades[key] { return facade }
    let facade = InstanceMembers(type, self)
    facades[key] = facade
    return facade
  }

  /// The setter of a property of a class; nil: there is none that can be called.
  func setter(_ name: String, of type: any Any.Type) throws(LuaRaise) -> CallPlan? {
    try facade(of: type).setterPlan(name)
  }
}
