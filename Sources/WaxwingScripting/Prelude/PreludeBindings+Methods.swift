// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// Methods that scripts add to types.
extension PreludeBindings {
  /// (scope, name, function, the same for what `super` gives): declares a method of the type's instances and its
  /// subclasses', or of the type itself.
  func declareMethod(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let scope = try scope(&reader)
    let name = reader.displayString(reader.read()) ?? ""
    let identity = UInt(bitPattern: reader.read().pointer)
    guard case .type(let type, let isStatic) = scope else {
      throw .message("a module has no methods")
    }
    try checkIsNoShell("methods are added")
    guard runtime.declarations.mayAddMethods else {
      throw .message("methods are added while the patch loads; `\(name)` comes too late")
    }
    if name.hasPrefix("ORIG") {
      throw .message("`\(name)` cannot be a method: ORIG followed by a name is an original")
    }
    try checkTakesMethods(type)
    try checkUnused(name, isStatic: isStatic, by: type, identity)
    guard let reference = call.reference(toArgument: 2),
      let superReference = call.reference(toArgument: 3)
    else { throw .message("not enough memory") }
    runtime.declarations.methods.add(
      AddedMethod(
        owner: type.name, name: name, isStatic: isStatic,
        origin: call.position() ?? .unknown, descriptor: type.descriptor, reference: reference,
        superReference: superReference, identity: identity))
  }

  /// (object seen as its superclass's): the object.
  func findWhole(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let value = reader.read()
    guard value.tag == WAX_LUA_VALUE_OBJECT.rawValue, let object = value.pointer else {
      throw .message("a method of `super` is called with the object: object.super:name()")
    }
    call.writer.object(object)
  }

  /// Fails if the type cannot have methods: only types that Lua sees as proxies have members.
  private func checkTakesMethods(_ type: RunningType) throws(LuaRaise) {
    guard [.class, .struct, .enum].contains(type.nominal.kind) else {
      throw .message(
        "\(type.name) is a \(type.nominal.kind.word): add the method to the types that have it")
    }
    if type.nominal.kind == .class { return }
    let codec = runtime.resolver.program.runtimeType(type.node)
      .flatMap { try? CodecLibrary.codec(for: $0) }
    if codec?.isBoxing ?? !runtime.resolver.program.isSystem(type) { return }
    throw .message("values of \(type.name) are plain Lua values and have no methods of the type")
  }

  private func checkUnused(
    _ name: String, isStatic: Bool, by type: RunningType, _ identity: UInt
  ) throws(LuaRaise) {
    if let earlier = runtime.declarations.methods.method(
      name, isStatic: isStatic, in: [type.descriptor])
    {
      throw .message(
        "\(type.name) has the method `\(name)` already, from \(earlier.origin.source):"
          + "\(earlier.origin.line ?? 0)")
    }
    if let owner = relative(of: type, havingFunction: identity), !isStatic {
      throw .message(
        "the function is already a method of \(owner), whose methods \(type.name) shares: give each "
          + "a function of its own")
    }
    if !isStatic,
      runtime.declarations.fields.all(named: name).contains(where: { isRelative($0.0, of: type) })
    {
      throw .message("`\(name)` is a field that the script has declared")
    }
    if hasSwiftMember(name, isStatic: isStatic, type) {
      throw .message(
        "\(type.name) has a Swift member `\(name)`: a method of that name would hide it; override "
          + "it, or give the method another name")
    }
  }

  private func hasSwiftMember(_ name: String, isStatic: Bool, _ type: RunningType) -> Bool {
    if isStatic { return (try? TypeObject(type, runtime).swiftMember(name, isStatic: true)) != nil }
    let metatype = runtime.resolver.program.runtimeType(type.node)
    if let metatype, runtime.types.members(of: metatype).hasSwiftMember(name) { return true }
    // Of a generic type only values tell what it conforms to.
    let own = metatype == nil ? runtime.resolver.program.members(of: type) : []
    return own.contains { $0.declaration.baseName == name && Self.isInstanceMember($0.declaration) }
      || !runtime.resolver.extensionMembers(name, of: metatype, where: Self.isInstanceMember)
        .isEmpty
  }

  private static func isInstanceMember(_ declaration: FunctionDeclaration) -> Bool {
    !declaration.isStatic && !declaration.isInitializer
      && (MemberKind.method.includes(declaration.kind) || declaration.kind == .getter)
  }

  /// A class above or below, one of whose methods is this function.
  private func relative(of type: RunningType, havingFunction identity: UInt) -> String? {
    runtime.declarations.methods.all.first {
      $0.identity == identity && !$0.isStatic && isRelative($0.descriptor, of: type)
    }?.owner
  }

  private func isRelative(_ descriptor: UInt, of type: RunningType) -> Bool {
    line(of: type).contains(descriptor) || line(of: descriptor).contains(type.descriptor)
  }
}
