// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The members of the type object of a type: nested types, initializers, static members, and the
/// methods of instances, to be called with the instance as first argument.
struct TypeObject {
  /// The meaning of a name, and the value that Lua gets for it.
  enum Member {
    /// Another type object, by the canonical name of its type.
    case type(String)
    /// A function that does not take the type object that it is called on.
    case function(UnsafeMutablePointer<wax_lua_callback>)
    /// A function that takes an instance first.
    case method(UnsafeMutablePointer<wax_lua_callback>)
    /// A function that is to be called for the value, each time.
    case getter(UnsafeMutablePointer<wax_lua_callback>)
    /// A Lua function that the script has made a method.
    case added(AddedMethod)
  }

  let type: RunningType
  private let runtime: ScriptRuntime
  /// nil for a generic type.
  private let metatype: (any Any.Type)?
  /// The type and its superclasses.
  private let ancestry: [RunningType]
  /// The superclass that a class of Lua's is seen as.
  private let viewed: (any Any.Type)?

  /// - Parameter subclass: The type that static members are called on, if it is not the type
  ///   itself.
  init(
    _ type: RunningType, _ runtime: ScriptRuntime, on subclass: (any Any.Type)? = nil,
    viewedAs viewed: (any Any.Type)? = nil
  ) {
    self.type = type
    self.viewed = viewed
    self.runtime = runtime
    let program = runtime.resolver.program
    let own = program.runtimeType(type.node)
    metatype = subclass ?? own
    ancestry = own.map { TypeMetadata.ancestry(of: $0, in: program) } ?? [type]
  }

  private var program: RunningProgram { runtime.resolver.program }

  // MARK: Reading

  /// - Parameter isStatic: Instances' methods are not looked for.
  func member(_ name: String, isStatic: Bool) throws(LuaRaise) -> Member {
    if let found = try swiftMember(name, isStatic: isStatic) { return found }
    if let found = added(name, isStatic: true) { return found }
    if !isStatic, let found = added(name, isStatic: false) { return found }
    throw missing(name, isStatic ? "static member" : "member")
  }

  /// The program's member of this name.
  func swiftMember(_ name: String, isStatic: Bool) throws(LuaRaise) -> Member? {
    if !isStatic, let nested = runtime.resolver.nestedType(name, in: type) {
      return .type(nested.name)
    }
    if let found = try staticMember(name) { return found }
    if !isStatic, let found = instanceMember(name) { return found }
    return extensionMember(name, isStatic: isStatic)
  }

  private func added(_ name: String, isStatic: Bool) -> Member? {
    runtime.declarations.methods.method(name, isStatic: isStatic, in: descriptors).map(Member.added)
  }

  private var descriptors: [UInt] {
    (viewed ?? metatype).map(ClassLine.descriptors(of:)) ?? [type.descriptor]
  }

  private func staticMember(_ name: String) throws(LuaRaise) -> Member? {
    let own = functions(named: name) { $0.isStatic && MemberKind.method.includes($0.kind) }
    if !own.isEmpty { return .function(overloads(own, name).register()) }
    if let getter = functions(named: name, where: { $0.isStatic && $0.kind == .getter }).first {
      return .getter(overloads([getter], name).register())
    }
    if let subscripts = staticSubscript(name) { return .function(subscripts.register()) }
    if let stored = try storage(name) { return .getter(stored) }
    guard let metatype, let constant = NumberConstants.value(name, of: metatype) else {
      return nil
    }
    return .getter(self.constant(constant))
  }

  /// The functions that a static name means.
  private func staticFunctions(_ name: String) -> [RunningFunction] {
    let own = functions(named: name) { $0.isStatic && MemberKind.method.includes($0.kind) }
    if !own.isEmpty { return own }
    let made = Selector(text: name).matches(among: initializers)
    if !made.isEmpty { return made }
    return inherited(name) { $0.isStatic && MemberKind.method.includes($0.kind) }
  }

  /// The static functions of a name as an overload set, among which a call chooses; nil if there
  /// are none.
  func staticOverloads(_ name: String) -> OverloadSet? {
    let functions = staticFunctions(name)
    return functions.isEmpty ? nil : overloads(functions, name)
  }

  /// Whether a static function of the name may take a type as its first argument.
  func mayTakeType(_ name: String) -> Bool {
    staticFunctions(name).contains { function in
      guard let first = function.declaration.parameters.first?.type else { return false }
      return (first.optionalPayload ?? first).mayBeType
    }
  }

  /// An initializer, or a method or property of instances.
  private func instanceMember(_ name: String) -> Member? {
    let made = Selector(text: name).matches(among: initializers)
    if !made.isEmpty { return .function(initializers(made, name).register()) }
    let methods = functions(named: name) { !$0.isStatic && MemberKind.method.includes($0.kind) }
    return method(methods, name) { [unowned runtime, metatype] in
      runtime.resolver.extensionMembers(name, of: metatype) {
        !$0.isStatic && MemberKind.method.includes($0.kind)
      }
    } ?? method(functions(named: name) { !$0.isStatic && $0.kind == .getter }, name)
  }

  private func method(
    _ functions: [RunningFunction], _ name: String,
    others: @escaping () -> [RunningFunction] = { [] }
  ) -> Member? {
    if functions.isEmpty { return nil }
    return .method(OverloadSet(functions, named: name, in: runtime, others: others).register())
  }

  /// The member that extensions of the type's protocols give it.
  private func extensionMember(_ name: String, isStatic: Bool) -> Member? {
    let functions = inherited(name) { $0.isStatic && MemberKind.method.includes($0.kind) }
    if !functions.isEmpty { return .function(overloads(functions, name).register()) }
    // Of a generic type nothing tells what it is called on.
    if metatype != nil,
      let getter = inherited(name, where: { $0.isStatic && $0.kind == .getter }).first
    {
      return .getter(overloads([getter], name).register())
    }
    if isStatic { return nil }
    let made = inherited(name) { $0.isInitializer }
    if !made.isEmpty { return .function(overloads(made, name).register()) }
    let methods = inherited(name) { !$0.isStatic && MemberKind.method.includes($0.kind) }
    let getters = inherited(name) { !$0.isStatic && $0.kind == .getter }
    return method(methods, name) { getters } ?? method(getters, name)
  }

  /// Functions of superclasses and protocols. For a generic type only a value tells to what it
  /// conforms.
  private func inherited(
    _ name: String, where isWanted: (FunctionDeclaration) -> Bool
  ) -> [RunningFunction] {
    runtime.resolver.extensionMembers(name, of: metatype, where: isWanted)
  }

  /// `subscript`, and `set_subscript`, which takes the new value before the indices.
  private func staticSubscript(_ name: String) -> OverloadSet? {
    let isSetter = name.hasPrefix("set_subscript")
    let kind: DeclarationKind = isSetter ? .subscriptSetter : .subscriptGetter
    let found = functions(named: isSetter ? String(name.dropFirst(4)) : name) {
      $0.isStatic && $0.kind == kind
    }
    return found.isEmpty ? nil : overloads(found, name)
  }

  /// The function that makes instances.
  func initializer() throws(LuaRaise) -> UnsafeMutablePointer<wax_lua_callback> {
    if let range = RangeBuilder.function(for: type) {
      return runtime.state.register(range)
    }
    let initializers = initializers
    if let builder = structBuilder(instead: initializers) { return builder }
    let isLibrary = program.isSystem(type)
    let byPosition = initializers.filter {
      !isLibrary || !ArgumentLabel.mustBeWritten($0.declaration.parameters.first?.label)
    }
    let overloads = self.initializers(byPosition, title)
    overloads.whenEmpty =
      MissingMember.error(title, "init", "initializer", among: [], in: ancestry, program)
      .description
    let metatype = metatype
    return runtime.state.register { (call) throws(LuaRaise) in
      if try !IntegerBuilder.push(metatype, call) { try overloads.run(&call) }
    }
  }

  /// A struct's memberwise initializer is inlined more often than not. Where no initializer of the
  /// program's is left, but perhaps the one of `Decodable`, a struct is made of its stored properties.
  private func structBuilder(
    instead initializers: [RunningFunction]
  ) -> UnsafeMutablePointer<wax_lua_callback>? {
    guard let metatype, TypeMetadata.kind(of: metatype) == .struct, !program.isSystem(type),
      initializers.allSatisfy({ $0.declaration.selector == "init(from:)" })
    else { return nil }
    return runtime.state.register { (call) throws(LuaRaise) in
      try ValueBuilder.pushStruct(
        metatype, call.arguments, count: call.argumentCount, call.writer)
    }
  }

  /// The function that sets a static property; nil: there is no such property.
  func setter(_ name: String) throws(LuaRaise) -> UnsafeMutablePointer<wax_lua_callback>? {
    if let setter = functions(named: name, where: { $0.isStatic && $0.kind == .setter }).first {
      return overloads([setter], name).register()
    }
    let isThere =
      try storage(name) != nil
      || !functions(named: name, where: { $0.isStatic && $0.kind == .getter }).isEmpty
    guard isThere else { return nil }
    throw .message(
      "\(title).\(name) cannot be set: it is a `let`, has no setter, or its setter was not kept")
  }

  /// The initializers of the type. Initializers that do not exist are included so that an error can
  /// give the reason.
  private var initializers: [RunningFunction] {
    let all = ObjectInitializers(ofTypeWithAncestry: ancestry, in: program)
    return all.found + all.missing
  }

  /// The initializers for a name. Those of protocol extensions are searched if the type's own do
  /// not fit.
  private func initializers(_ own: [RunningFunction], _ name: String) -> OverloadSet {
    let member = name.hasPrefix("init") ? name : "init"
    return OverloadSet(own, named: name, hasReceiver: false, on: metatype, in: runtime) {
      [unowned runtime, metatype] in
      runtime.resolver.extensionMembers(member, of: metatype) { $0.isInitializer }
    }
  }

  /// The functions of a name, the nearest first.
  private func functions(
    named name: String, where isWanted: (FunctionDeclaration) -> Bool
  ) -> [RunningFunction] {
    let members = ancestry.flatMap { program.members(of: $0) }.filter { isWanted($0.declaration) }
    return NameResolver.preferred(Selector(text: name).matches(among: members))
  }

  private func overloads(_ functions: [RunningFunction], _ name: String) -> OverloadSet {
    let overloads = OverloadSet(
      functions, named: name, hasReceiver: false, on: metatype, in: runtime)
    overloads.viewed = viewed
    return overloads
  }

  private func constant(_ value: Any) -> UnsafeMutablePointer<wax_lua_callback> {
    let codec = ExistentialCodec<Any>()
    return runtime.state.register { (call) throws(LuaRaise) in
      withUnsafePointer(to: value) { codec.push($0, call.writer) }
    }
  }

  private func storage(
    _ name: String
  ) throws(LuaRaise) -> UnsafeMutablePointer<wax_lua_callback>? {
    for type in ancestry {
      guard let storage = program.storage(named: name, of: type) else { continue }
      return try StorageAccess(storage, "\(title).\(name)", program).register(in: runtime.state)
    }
    return nil
  }

  // MARK: Messages

  private var title: String { ModuleNames.displayed(type.name) }

  private func missing(_ name: String, _ what: String) -> LuaRaise {
    let error = MissingMember.error(title, name, what, among: names, in: ancestry, program)
    if metatype == nil, type.nominal.kind == .enum {
      guard type.descriptor != 0 else {
        return .message(
          "the optimizer has dropped the description of \(title), so that its cases cannot be told: "
            + OpaqueOwners.remedy(title))
      }
      return .message(
        "\(title) is generic, so that its cases cannot be told from its name: where one is expected, "
          + "write a table: { case = \"\(name)\", … }")
    }
    return .message(error.description)
  }

  private var addedNames: [String] {
    [true, false].flatMap {
      runtime.declarations.methods.methods(isStatic: $0, in: descriptors).map(\.name)
    }
  }

  /// All names of members of the type.
  private var names: Set<String> {
    let members = ancestry.flatMap { program.members(of: $0) }.map(\.declaration)
    let cases = metatype.map { EnumCase.all(of: $0).compactMap(\.name) } ?? []
    return Set(
      members.flatMap { [$0.baseName, $0.selector] } + cases
        + runtime.resolver.nestedNames(in: type) + program.storageNames(of: type)
        + addedNames)
  }
}
