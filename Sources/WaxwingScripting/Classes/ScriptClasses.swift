// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The classes that a script makes, and their objects.
///
/// The thread that has entered the state makes classes while the script loads. After that nothing
/// changes, and any thread may read.
package final class ScriptClasses {
  private unowned let runtime: ScriptRuntime
  /// The classes in the order of declaration.
  private(set) var all: [ScriptClass] = []
  private var byType: [ObjectIdentifier: ScriptClass] = [:]
  private var byDescriptor: [UInt: ScriptClass] = [:]
  private var names: Set<String> = []
  /// The Lua function that is called when the script has loaded.
  var finisher: Int32 = 0

  init(_ runtime: ScriptRuntime) {
    self.runtime = runtime
  }

  var isEmpty: Bool { all.isEmpty }

  /// The class that a type is; nil: it is none of the script's.
  func known(_ type: any Any.Type) -> ScriptClass? {
    all.isEmpty ? nil : byType[ObjectIdentifier(type)]
  }

  /// The one of this number; nil: there is none.
  func known(number: Int) -> ScriptClass? { all.indices.contains(number) ? all[number] : nil }

  /// The one of which Lua code gives the number.
  func known(_ value: wax_lua_value) -> ScriptClass? {
    value.tag == WAX_LUA_VALUE_INTEGER.rawValue ? known(number: Int(value.integer)) : nil
  }

  /// The one that a descriptor belongs to.
  func known(descriptor: UInt) -> ScriptClass? { byDescriptor[descriptor] }

  /// Whether there is one of this name.
  func has(_ name: String) -> Bool { names.contains(name) }

  /// The nearest overrides of a function among the classes below `viewed`: on an object of a class
  /// `type`, seen as one of its superclasses, the call continues below them.
  func nearestPoint(
    of function: RunningFunction, below viewed: any Any.Type, from type: any Any.Type
  ) -> PointOverrides? {
    var found: PointOverrides?
    var current = type
    while current != viewed, let known = known(current) {
      found = known.points[function] ?? found
      current = known.made.superclass
    }
    return found
  }

  /// Makes a class over another one.
  func make(
    _ name: String, over superclass: any Any.Type, under parent: ScriptClass?
  ) throws(LuaClassError) -> ScriptClass {
    try LuaClasses.check(superclass)
    if parent == nil, superclass != LuaObject.self {
      let program = runtime.resolver.program
      let ancestry = TypeMetadata.ancestry(of: superclass, in: program)
      if let refusal = DesignatedInitializers.refusal(
        ofSubclassOf: superclass, ancestry: ancestry, in: program)
      {
        throw LuaClassError(refusal)
      }
      if let obstacles = SubclassObstacles(of: superclass, ancestry: ancestry, in: program) {
        throw LuaClassError(obstacles.refusal)
      }
    }
    let made = try LuaClasses.make(
      name, module: Self.module(runtime.options.name), over: superclass)
    let known = ScriptClass(all.count, made, under: parent, in: runtime.resolver.program)
    all.append(known)
    byType[ObjectIdentifier(made.type)] = known
    byDescriptor[known.descriptor] = known
    names.insert(made.name)
    return known
  }

  /// A patch's name as a module's.
  private static func module(_ name: String) -> String {
    let letters = name.map { $0.isLetter || $0.isNumber ? $0 : "_" }
    return letters.isEmpty ? "patch" : String(letters)
  }

  /// Lets the prelude do what has to wait until the script has declared everything.
  func finish() throws(LuaFailure) {
    if all.isEmpty { return }
    try runtime.state.entered { () throws(LuaFailure) in
      try runtime.withCoroutine { coroutine throws(LuaFailure) in _ = try coroutine.call(finisher) }
    }
  }
}

// MARK: - Objects

extension ScriptClasses {
  /// The classes that the script has made.
  package var made: [LuaClass] { all.map(\.made) }

  /// Runs the classes' `deinit` functions at the ends of objects from now on.
  package func begin() {
    let functions = runtime.functions!
    // Of each class the nearest that is told of the end, itself or one above it, which knows the next.
    var nearest: [Deinitializer?] = []
    for known in all {
      let above = known.parent.flatMap { nearest[$0.number] }
      let own = known.deinitializer.map { Deinitializer(known.made.name, $0, above: above) }
      nearest.append(own ?? above)
      guard let first = own ?? above else { continue }
      known.made.setFinalizer(for: ObjectIdentifier(self)) { object in
        for each in sequence(first: first, next: \.above) { each.run(object, functions) }
      }
    }
  }

  /// Stops running the classes' `deinit` functions.
  package func end() {
    for known in all { known.made.removeFinalizer(for: ObjectIdentifier(self)) }
    for script in runtime.all { script.functions.endForObjects() }
  }

  /// How many objects of the classes are alive, by the class's name; classes without any are not in it.
  package var livingObjects: [String: Int] {
    var counts: [String: Int] = [:]
    for known in all {
      let count = known.made.liveObjects
      if count > 0 { counts[known.made.qualifiedName] = count }
    }
    return counts
  }

  /// Whether objects of some of the classes are held by others than the script.
  package func hasHeldObjects(of meant: Set<ObjectIdentifier>) -> Bool {
    let living = made.filter { meant.contains(ObjectIdentifier($0)) && $0.liveObjects > 0 }
    if living.isEmpty || runtime.isClosed { return false }
    // Where another thread does not leave the state, all may be held.
    return runtime.state.enteredInTime(milliseconds: 100) { state in
      living.contains { $0.heldObjects { state.hasProxy($0) } > 0 }
    } ?? true
  }
}

/// A Lua function that is told of the end of objects of a class.
private final class Deinitializer: Sendable {
  /// The name of the class.
  let name: String
  let reference: Int32
  /// The `deinit` of the nearest superclass that has one.
  let above: Deinitializer?

  init(_ name: String, _ reference: Int32, above: Deinitializer?) {
    self.name = name
    self.reference = reference
    self.above = above
  }

  /// - Parameter object: Is being deallocated: Lua sees it for as long as the call.
  func run(_ object: UnsafeMutableRawPointer, _ functions: LuaFunctions) {
    let failure = functions.inCall(of: "\(name).deinit", forObject: true) { state -> LuaFailure? in
      state.entered {
        guard let coroutine = LuaCoroutine(state) else { return .noMemory }
        defer { coroutine.release() }
        coroutine.writer.object(object)
        do throws(LuaFailure) {
          _ = try coroutine.call(reference)
          return nil
        } catch {
          return error
        }
      }
    }
    guard case .some(.some(let failure)) = failure else { return }
    functions.options.host.closureFailed(
      OverrideFault(
        function: "\(name).deinit", message: failure.message, frames: failure.frames,
        position: failure.position))
  }
}
