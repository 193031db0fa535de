// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The program's types in Lua: members of their instances, type objects, operators.
///
/// Used by the thread that has entered the script's state.
final class ScriptTypes {
  private unowned let runtime: ScriptRuntime
  private var instanceMembers: [UnsafeRawPointer: InstanceMembers] = [:]
  private var liveMembers: LiveMembers?
  private(set) lazy var operators = OperatorTable(runtime)
  private var staticTypeObjects: [NominalType: Int32] = [:]
  /// The Lua function that makes the type object of a type by its name; 0: there is none yet.
  var typeObjectMaker: Int32 = 0
  /// The Lua function that is called for originals; nil: they are called themselves.
  var standInOriginal: Int32?

  init(_ runtime: ScriptRuntime) {
    self.runtime = runtime
  }

  /// Forgets the members, which belong to a state that has been closed.
  func close() { instanceMembers = [:] }

  // MARK: Instances

  /// The members of a type's instances in Lua.
  func members(of type: any Any.Type) -> InstanceMembers {
    let key = TypeMetadata.pointer(to: type)
    if let known = instanceMembers[key] { return known }
    let made = InstanceMembers(type, runtime)
    instanceMembers[key] = made
    return made
  }

  /// The setter of a property of a class; nil: there is none that can be called.
  func setter(_ name: String, of type: any Any.Type) throws(LuaRaise) -> CallPlan? {
    try members(of: type).setterPlan(name)
  }

  /// Defines the metatable of proxies of a type and a kind; without a type it is that of errors or
  /// metatypes. The state is entered.
  func defineMetatable(_ L: OpaquePointer, _ type: UnsafeRawPointer?, _ kind: UInt32) -> Bool {
    guard let type else {
      return kind == WAX_PROXY_KIND_METATYPE.rawValue
        ? MetatypeMembers(runtime.state).define(L, kind) : ErrorMembers(runtime).define(L, kind)
    }
    if type == TypeMetadata.pointer(to: LiveCollection.self) {
      let live = LiveMembers(runtime.state)
      liveMembers = live
      return live.define(L)
    }
    return members(of: TypeMetadata.type(at: type))
      .define(L, isSuper: kind == WAX_PROXY_KIND_SUPER.rawValue)
  }

  // MARK: Type objects

  func setStaticTypeObject(_ reference: Int32, of type: NominalType) {
    staticTypeObjects[type] = reference
  }

  func staticTypeObject(of type: NominalType) -> Int32? { staticTypeObjects[type] }

  /// The type object of a type that comes from Swift; nil if it has none of its own.
  func staticTypeObject(of type: any Any.Type) -> Int32? {
    if let known = runtime.classes.known(type) { return known.staticTypeObject }
    guard let known = runtime.resolver.program.type(naming: type)?.nominal else { return nil }
    if staticTypeObjects[known] == nil { makeTypeObject(of: type) }
    return staticTypeObjects[known]
  }

  /// Makes the type object of a class, struct or enum that has one by its own name: not of a generic
  /// type's instance, which shares its name with others.
  func makeTypeObject(of type: any Any.Type) {
    guard typeObjectMaker != 0, let known = runtime.resolver.program.type(naming: type)
    else { return }
    // What goes wrong leaves the type without a type object.
    _ = try? runtime.withCoroutine { coroutine throws(LuaFailure) in
      coroutine.writer.string(runtime.resolver.canonicalName(of: known))
      return try coroutine.call(typeObjectMaker)
    }
  }
}
