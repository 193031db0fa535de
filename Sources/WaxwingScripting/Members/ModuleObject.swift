// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The members of the type object of a module: types, free functions, global variables.
struct ModuleObject {
  let name: String
  private let runtime: ScriptRuntime

  init(_ name: String, _ runtime: ScriptRuntime) {
    self.name = name
    self.runtime = runtime
  }

  private var program: RunningProgram { runtime.resolver.program }
  private var modules: [String] { ModuleNames.modules(named: name) }

  func member(_ member: String) throws(LuaRaise) -> TypeObject.Member {
    if let type = try type(member) { return .type(type.name) }
    let free = functions(.method, named: member)
    if !free.isEmpty { return .function(overloads(free, member).register()) }
    if let getter = functions(.getter, named: member).first {
      return .getter(overloads([getter], member).register())
    }
    for module in modules {
      guard let storage = program.storage(named: member, inModule: module) else { continue }
      return .getter(
        try StorageAccess(storage, "\(name).\(member)", program).register(in: runtime.state))
    }
    throw missing(member)
  }

  /// The function that sets a global variable; nil: there is no such variable.
  func setter(_ member: String) throws(LuaRaise) -> UnsafeMutablePointer<wax_lua_callback>? {
    if let setter = functions(.setter, named: member).first {
      return overloads([setter], member).register()
    }
    let isThere =
      !functions(.getter, named: member).isEmpty
      || modules.contains { program.storage(named: member, inModule: $0) != nil }
    guard isThere else { return nil }
    throw .message(
      "\(name).\(member) cannot be set: it is a `let`, has no setter, or its setter was not kept")
  }

  private func type(_ member: String) throws(LuaRaise) -> RunningType? {
    do throws(NameError) {
      return try runtime.resolver.type(member, inModule: name)
    } catch {
      throw .message(error.description)
    }
  }

  private func functions(_ kind: MemberKind, named member: String) -> [RunningFunction] {
    let selector = Selector(text: member)
    let known = modules.flatMap { module in
      selector.baseNames.flatMap { program.functions(named: $0, inModule: module) }
    }
    return selector.matches(among: known.filter { kind.includes($0.declaration.kind) })
  }

  private func overloads(_ functions: [RunningFunction], _ member: String) -> OverloadSet {
    OverloadSet(functions, named: member, hasReceiver: false, in: runtime)
  }

  private func missing(_ member: String) -> LuaRaise {
    let names = modules.reduce(into: Set<String>()) {
      $0.formUnion(program.functionNames(inModule: $1))
      $0.formUnion(program.storageNames(inModule: $1))
      $0.formUnion(runtime.resolver.types(inModule: $1).map(\.path))
    }
    let isOwn = runtime.resolver.ownModules.contains(name)
    return .message(
      MissingMember.error(member, inModule: name, isOwn: isOwn, among: names).description)
  }
}
