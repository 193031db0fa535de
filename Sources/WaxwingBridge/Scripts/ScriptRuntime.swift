// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingLua
internal import WaxwingLuaSources
internal import WaxwingReflection

/// One script with its Lua state: loads it, collects the overrides that it declares, and gives Lua
/// its view of the program's types.
///
/// Overrides are declared while the script loads, and not after.
package final class ScriptRuntime: @unchecked Sendable {
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

  /// Never nil after `init`; optional because its hooks need `self`.
  package private(set) var state: LuaState!
  package let resolver: NameResolver
  let options: ScriptOptions

  // Everything below: only by the thread that has entered the state, or while one thread alone
  // knows the script.
  /// In the order of declaration.
  package private(set) var overrides: [Override] = []
  private(set) var isLoading = false
  private var isClosed = false
  private var modules: [String: Source] = [:]
  private var liveFacade: LiveFacade?
  private var facades: [UnsafeRawPointer: TypeFacade] = [:]
  private var plans: [RunningFunction: CallPlan] = [:]
  private var staticFaces: [String: Int32] = [:]

  /// - Throws: `LuaStateError`, or `LuaFailure` if the memory limit does not hold the prelude.
  package init(_ resolver: NameResolver, _ options: ScriptOptions) throws {
    self.resolver = resolver
    self.options = options
    state = try LuaState(
      memoryLimit: options.memoryLimit, libraries: options.libraries, hooks: hooks)
    try ScriptHost(self).install()
  }

  /// Runs the first file; the others are what it can `require`.
  /// - Throws: `LuaFailure`. The overrides declared so far must not be used then.
  package func load(_ files: [Source], arguments: [String] = []) throws(LuaFailure) {
    guard let main = files.first else { return }
    for module in files.dropFirst() { modules[module.module] = module }
    isLoading = true
    defer { isLoading = false }
    try run(main, arguments)
  }

  /// Bytes that the Lua state holds.
  package var memory: Int { isClosed ? 0 : state.memory }

  /// Closes the Lua state.
  /// - Precondition: No call is in an override of it, and none will be.
  package func close() {
    isClosed = true
    state.close()
    facades = [:]
    overrides = []
  }

  private func run(_ main: Source, _ arguments: [String]) throws(LuaFailure) {
    try state.entered { () throws(LuaFailure) in
      let reference = try compile(main)
      try withLane { lane throws(LuaFailure) in
        for argument in arguments { lane.writer.string(argument) }
        _ = try lane.call(reference)
      }
    }
  }

  /// Compiles a file for the script's environment; the state must be entered.
  func compile(_ source: Source) throws(LuaFailure) -> Int32 {
    try withLane { lane throws(LuaFailure) in
      var failure: LuaFailure?
      var reference: Int32 = 0
      source.text.withUnsafeBytes { bytes in
        do throws(LuaFailure) {
          reference = try lane.load(
            bytes, chunkName: "@" + source.name, environment: ScriptHost.environment)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      return reference
    }
  }

  /// Runs `body` with a lane; the state must be entered.
  func withLane<Result>(
    _ body: (LuaLane) throws(LuaFailure) -> Result
  ) throws(LuaFailure) -> Result {
    guard let lane = LuaLane(state) else {
      throw LuaFailure(
        kind: .noMemory, message: "not enough memory", rawMessage: "", frames: [], swiftError: nil)
    }
    defer { lane.release() }
    return try body(lane)
  }

  func module(named name: String) -> Source? { modules[name] }
}

// MARK: - What the script declares and uses

extension ScriptRuntime {
  func add(_ override: Override) { overrides.append(override) }

  func setStaticFace(_ reference: Int32, of type: String) { staticFaces[type] = reference }
  func staticFace(of type: String) -> Int32? { staticFaces[type] }

  func plan(
    _ function: RunningFunction, isMutating: Bool? = nil
  ) throws(PlanError) -> CallPlan {
    if let plan = plans[function] { return plan }
    let plan = try CallPlan(function, in: resolver.program, isMutating: isMutating)
    plans[function] = plan
    return plan
  }

  /// A Lua function that calls `function`.
  func callable(
    _ function: RunningFunction, _ target: FunctionCall.Target
  ) throws(PlanError) -> UnsafeMutablePointer<waxwing_callback> {
    let call = FunctionCall(try plan(function), target, in: state)
    return state.register { (luaCall) throws(LuaRaise) in try call.run(&luaCall) }
  }

  private var hooks: waxwing_hooks {
    waxwing_hooks(
      release: { kind, pointer, type in ProxyContents.release(kind, pointer, type) },
      make_metatable: { context, L, type, kind in
        guard let context, let L else { return false }
        return Unmanaged<ScriptRuntime>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.defineMetatable(L, type, kind)
        }
      },
      context: Unmanaged.passUnretained(self).toOpaque())
  }

  private func defineMetatable(_ L: OpaquePointer, _ type: UnsafeRawPointer?, _ kind: UInt32)
    -> Bool
  {
    guard let type else { return ErrorFacade(state).define(L, kind) }
    if type == TypeMetadata.pointer(to: LiveCollection.self) {
      let live = LiveFacade(state)
      liveFacade = live
      return live.define(L)
    }
    return facade(TypeMetadata.type(at: type)).define(L)
  }

  private func facade(_ type: any Any.Type) -> TypeFacade {
    let key = TypeMetadata.pointer(to: type)
    let facade = facades[key] ?? TypeFacade(type, self)
    facades[key] = facade
    return facade
  }

  /// The setter of a property of a class; nil: there is none that can be called.
  func setter(_ name: String, of type: any Any.Type) throws(LuaRaise) -> CallPlan? {
    try facade(type).setterPlan(name)
  }
}

/// What proxies hold.
enum ProxyContents {
  /// Gives it up. Runs with the Lua state left: deinitializers may do anything.
  static func release(
    _ kind: UInt32, _ pointer: UnsafeMutableRawPointer?, _ type: UnsafeRawPointer?
  ) {
    guard let pointer else { return }
    switch waxwing_proxy_kind(rawValue: kind) {
    case WAXWING_PROXY_OBJECT: ObjectReference.release(pointer)
    case WAXWING_PROXY_VALUE: if let type { ValueBox.release(pointer, type: type) }
    case WAXWING_PROXY_ERROR: _ = SwiftErrorBox.take(UInt64(UInt(bitPattern: pointer)))
    default: break
    }
  }
}
