// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// Names of types and modules, and what their type objects offer.
extension PreludeBindings {
  /// (name) -> canonical name, title
  func findType(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    var type = try named { () throws(NameError) in
      try found(name) { () throws(NameError) in try runtime.resolver.type(named: name) }
    }
    if isPartOfFoundation(.type(type)), loadFoundation() {
      type = try named { () throws(NameError) in try runtime.resolver.type(named: name) }
    }
    call.writer.string(runtime.resolver.canonicalName(of: type))
    call.writer.string(ModuleNames.displayed(type.name))
  }

  func findModule(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    call.writer.string(
      try named { () throws(NameError) in
        try found(name) { () throws(NameError) in try runtime.resolver.module(named: name) }
      })
  }

  /// (name) -> "type" or "module" and the canonical name, or nothing
  func findGlobal(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    let resolver = runtime.resolver
    var found = try named { () throws(NameError) in try resolver.global(named: name) }
    if isPartOfFoundation(found), loadFoundation() {
      found = try named { () throws(NameError) in try resolver.global(named: name) }
    }
    switch found {
    case .type(let type):
      call.writer.string("type")
      call.writer.string(resolver.canonicalName(of: type))
    case .module(let module):
      call.writer.string("module")
      call.writer.string(module)
    case nil: break
    }
  }

  /// Whether a name means nothing, or something in a part of Foundation. Either may change when the
  /// whole of Foundation is loaded, because a part may have something private of this name.
  private func isPartOfFoundation(_ found: NameResolver.Global?) -> Bool {
    guard let found else { return true }
    guard case .type(let type) = found, let module = type.nominal.rootModule else { return false }
    return ModuleNames.imported(for: module) == "Foundation"
  }

  /// A script with a process of its own may use Foundation without a word: it is loaded when a name
  /// means nothing without it.
  private func found<Result>(
    _ name: String, _ body: () throws(NameError) -> Result
  ) throws(NameError) -> Result {
    do throws(NameError) {
      return try body()
    } catch {
      guard loadFoundation() else { throw error }
      return try body()
    }
  }

  private func loadFoundation() -> Bool {
    runtime.isWholeProgram && !runtime.resolver.program.hasModule("Foundation")
      && load("Foundation")
  }

  private func load(_ module: String) -> Bool {
    defer { wax_call_forget_choices() }
    return state.suspended { runtime.resolver.program.load(module: module) }
  }

  /// (name) -> canonical name
  func loadModule(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    guard runtime.isWholeProgram else {
      throw .message("libraries are loaded by `waxwing run` only, not into a running program")
    }
    guard runtime.resolver.program.hasModule(name) || load(name) else {
      throw .message(
        "there is no library lib\(name).so beside the standard library, and no module `\(name)`")
    }
    call.writer.string(name)
  }

  /// (name, type object, static type object): from now on they stand for the type.
  func setTypeObject(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    guard let reference = call.reference(toArgument: 2) else { throw .message("not enough memory") }
    let type = try named { () throws(NameError) in try runtime.resolver.type(named: name) }
    runtime.types.setStaticTypeObject(reference, of: type.nominal)
    guard let metatype = runtime.resolver.program.runtimeType(type.node) else { return }
    let metadata = TypeMetadata.pointer(to: metatype)
    guard call.setTypeObject(ofArgument: 1, to: metadata, isMain: true),
      call.setTypeObject(ofArgument: 2, to: metadata, isMain: false)
    else { throw .message("not enough memory") }
  }

  /// (function): makes the type object of a type by its name.
  func setTypeObjectMaker(_ call: inout LuaCall) throws(LuaRaise) {
    guard let reference = call.reference(toArgument: 0) else { throw .message("not enough memory") }
    runtime.types.typeObjectMaker = reference
  }

  /// (type's name) -> function
  func findInitializer(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    let type = try named { () throws(NameError) in try runtime.resolver.type(named: name) }
    call.writer.function(try TypeObject(type, runtime).initializer())
  }

  /// (scope, kind, name) -> what there is of this name, and what it is: nothing (the function that makes an enum's case
  /// of its payload), "case" (a function that makes one without a payload), "type" (its name), "static"
  /// (a function that does not take its type object; and whether its first argument may be a type), "method", "getter" (a function to be called for it),
  /// "added" or "added static" (a Lua function that the script has made a method)
  func findMember(_ call: inout LuaCall) throws(LuaRaise) {
    let (scope, kind, name) = try member(&call)
    if case .type(let type, _) = scope, kind == .method, pushCase(name, of: type, &call) {
      return
    }
    switch try found(name, kind, in: scope) {
    case .type(let name):
      call.writer.string(name)
      call.writer.string("type")
    case .function(let function):
      call.writer.function(function)
      call.writer.string("static")
      if case .type(let type, _) = scope {
        call.writer.boolean(TypeObject(type, runtime).mayTakeType(name))
      }
    case .method(let function):
      call.writer.function(function)
      call.writer.string("method")
    case .getter(let function):
      call.writer.function(function)
      call.writer.string("getter")
    case .added(let method):
      call.writer.reference(method.reference)
      call.writer.string(method.isStatic ? "added static" : "added")
    }
  }

  /// Finds a member of a name that type objects use for themselves, and returns nothing if there is
  /// none.
  func findOwnMember(_ call: inout LuaCall) {
    // It has written nothing yet.
    do throws(LuaRaise) { try findMember(&call) } catch {}
  }

  /// (scope, name, arguments …) -> whether the static functions of this name take the arguments
  func fitsStatic(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let scope = try scope(&reader)
    let name = reader.displayString(reader.read()) ?? ""
    guard case .type(let type, _) = scope else { return call.writer.boolean(false) }
    let overloads = TypeObject(type, runtime).staticOverloads(name)
    call.writer.boolean(
      try overloads?.takes(reader, call.argumentCount - 2, receiver: reader) ?? false)
  }

  private func found(
    _ name: String, _ kind: MemberKind, in scope: NameResolver.Scope
  ) throws(LuaRaise) -> TypeObject.Member {
    switch scope {
    case .type(let type, let isStatic) where kind == .method:
      return try TypeObject(type, runtime).member(name, isStatic: isStatic)
    case .module(let module) where kind == .method:
      return try ModuleObject(module, runtime).member(name)
    default:
      let point = try named { () throws(NameError) in
        try runtime.resolver.patchPoint(name, kind, in: scope)
      }
      return .method(
        try planned { () throws(PlanError) in try runtime.callable(point, .current) })
    }
  }

  /// (scope, kind, name) -> the function that sets a static property or global variable, or nothing
  func findSetter(_ call: inout LuaCall) throws(LuaRaise) {
    let (scope, _, name) = try member(&call)
    let setter =
      switch scope {
      case .type(let type, _): try TypeObject(type, runtime).setter(name)
      case .module(let module): try ModuleObject(module, runtime).setter(name)
      }
    if let setter { call.writer.function(setter) }
  }
}
