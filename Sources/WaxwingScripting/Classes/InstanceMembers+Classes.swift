// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// Members of objects of classes that a patch has made, besides those that Swift gives them.
extension InstanceMembers {
  /// Adds a field to a class that a patch has made, for a name that is no member.
  /// - Returns: False if it is no such class.
  func addOwnField(_ name: String, _ call: LuaCall) throws(LuaRaise) -> Bool {
    guard let known = runtime.classes.known(type), name.first?.isLetter == true || name.first == "_"
    else { return false }
    guard let reference = runtime.declarations.fields.empty else {
      throw .message("not enough memory")
    }
    runtime.declarations.fields.add(
      .init(className: known.made.qualifiedName, name: name, reference: reference),
      descriptor: known.descriptor)
    call.raw.pointee.field = reference
    return true
  }

  /// Lets C call the getter or setter that a class of Lua's has for this name.
  /// - Parameter isSuper: The function gets the object itself, not what its superclass has of it.
  func foundOwnAccessor(_ name: String, isSuper: Bool, _ call: LuaCall) -> Bool {
    guard !runtime.classes.isEmpty,
      let accessor = runtime.declarations.methods.method(
        name, isStatic: false, in: ClassLine.descriptors(of: type))
    else { return false }
    call.raw.pointee.accessor_function = isSuper ? accessor.superReference : accessor.reference
    return true
  }

  /// Whether a class of Lua's may have a getter of its own for this property of its superclass. Of those
  /// of other scripts nothing is known, as they change with their patch's versions.
  func mayHaveOwnGetter(_ name: String) -> Bool {
    runtime.classes.known(type) == nil
      || runtime.declarations.methods.method(
        "getter \(name)", isStatic: false, in: ClassLine.descriptors(of: type)) != nil
  }

  private func pendingClass(_ receiver: wax_lua_value) -> ScriptClass? {
    guard receiver.tag == WAX_LUA_VALUE_PROXY.rawValue else { return nil }
    let proxy = receiver.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    guard proxy.kind == WAX_PROXY_KIND_PENDING.rawValue, proxy.pointer != nil else { return nil }
    return runtime.classes.known(type)
  }

  /// (proxy, name), of an object that is being initialized: its own fields, `super` and `init`.
  func getUninitialized(
    _ receiver: wax_lua_value, _ member: String, _ call: inout LuaCall
  ) throws(LuaRaise) -> Bool {
    guard let known = pendingClass(receiver) else { return false }
    if member == "super" {
      wax_lua_return_argument(call.raw, 1)
      return true
    }
    if member == "init" || member.hasPrefix("init(") {
      try pushInitializer(member, above: running(receiver, call) ?? known, &call)
      return true
    }
    if runtime.types.members(of: known.made.superclass).hasSwiftMember(member) { return false }
    if let field = runtime.declarations.fields.field(member, in: ClassLine.descriptors(of: type)) {
      call.raw.pointee.field = field.reference
      return true
    }
    return try addOwnField(member, call)
  }

  /// (proxy, name, value), of an object that is being initialized: its own fields.
  func setUninitialized(
    _ receiver: wax_lua_value, _ member: String, _ call: inout LuaCall
  ) throws(LuaRaise) -> Bool {
    guard pendingClass(receiver) != nil, member != "super", !member.hasPrefix("init")
    else { return false }
    return try getUninitialized(receiver, member, &call)
  }

  /// The class whose initializer is running on the object, the innermost.
  private func running(_ receiver: wax_lua_value, _ call: LuaCall) -> ScriptClass? {
    let proxy = receiver.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    guard let memory = proxy.pointer else { return nil }
    let line = ClassLine.descriptors(of: type)
    var level: Int32 = 0
    while let function = wax_proxy_function_on(call.raw.pointee.L, memory, &level) {
      if let owner = runtime.declarations.methods.owner(
        ofFunction: UInt(bitPattern: function), among: line)
      {
        return runtime.classes.known(descriptor: owner)
      }
    }
    return nil
  }

  /// The initializer of the superclass of one of Lua's classes.
  private func pushInitializer(
    _ name: String, above known: ScriptClass, _ call: inout LuaCall
  ) throws(LuaRaise) {
    if let reference = known.parent?.initializer { return call.writer.reference(reference) }
    if known.made.superclass == LuaObject.self {
      return call.writer.function(
        runtime.state.register { (call) throws(LuaRaise) in Self.initializeRoot(&call) })
    }
    let program = runtime.resolver.program
    let title = TypeName.short(known.made.superclass)
    let designated = known.designatedInitializers(in: program)
    let all = designated + known.missingInitializers(in: program)
    let meant = name == "init" ? all : NameResolver.meant(by: name, among: all)
    guard !meant.isEmpty else {
      throw .message(
        NameError.unknown(
          "\(title) has no designated initializer `\(name)`",
          near: designated.map { ModuleNames.displayed($0.declaration.selector) }
        ).description)
    }
    // Where Swift has called one of them, that is meant first.
    let running = ActiveCall.initializer(of: known.made).flatMap { running in
      meant.first { $0 == running }
    }
    let overloads = OverloadSet(
      running.map { [$0] } ?? meant, named: "\(title).\(name)", in: runtime
    ) { running == nil ? [] : meant }
    overloads.viewed = known.made.superclass
    call.writer.function(overloads.register())
  }

  /// (pending proxy): there is nothing to initialize.
  private static func initializeRoot(_ call: inout LuaCall) {
    let receiver = call.arguments.peeked
    guard receiver.tag == WAX_LUA_VALUE_PROXY.rawValue else { return }
    let proxy = receiver.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    guard proxy.kind == WAX_PROXY_KIND_PENDING.rawValue, let object = proxy.pointer else { return }
    // The proxy takes the reference over that the object was made with.
    if wax_proxy_initialize(
      call.raw.pointee.L, 1, WAX_PROXY_KIND_OBJECT.rawValue, object, proxy.type)
    {
      LuaClass.began(object)
    }
  }
}
