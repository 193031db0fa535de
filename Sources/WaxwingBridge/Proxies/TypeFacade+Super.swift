// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingReflection

/// `object.super`: the members that a class has, whatever an object's own class makes of them.
extension TypeFacade {
  /// A function of an object.
  enum SuperMember {
    case method(UnsafeMutablePointer<waxwing_callback>)
    case getter(UnsafeMutablePointer<waxwing_callback>)
  }

  /// What `super` means here: in an override of a method, the class above the one that has the
  /// method, as in Swift; elsewhere the one above the object's own.
  func superclass() throws(LuaRaise) -> any Any.Type {
    let own = overriddenClass ?? type
    if let superclass = TypeMetadata.superclass(of: own) { return superclass }
    throw .message("\(ModuleNames.displayed(_typeName(own, qualified: true))) has no superclass")
  }

  /// The class of the object's line whose override this thread is in.
  private var overriddenClass: (any Any.Type)? {
    guard let index = Activation.innermost(among: runtime.overrides) else { return nil }
    let declaration = runtime.overrides[index].function.declaration
    guard !declaration.isStatic, let owner = declaration.context.memberOf?.unbound,
      let known = ancestry.first(where: { $0.nominal == owner })
    else { return nil }
    var current: (any Any.Type)? = type
    while let type = current {
      if TypeMetadata.descriptor(of: type) == known.descriptor { return type }
      current = TypeMetadata.superclass(of: type)
    }
    return nil
  }

  /// What the class has of this name, and classes above it: called without dispatch.
  func superMember(_ member: String) throws(LuaRaise) -> SuperMember {
    if let field = try storedField(member) {
      let accessor = try FieldAccess(field, name)
      let state = runtime.state!
      return .getter(
        state.register { (call) throws(LuaRaise) in try accessor.read(&call, state) })
    }
    if let getter = try function(member, .getter) ?? inherited(member, .getter).first {
      return .getter(try callable(getter, .current))
    }
    var methods = functions(member, .method)
    if methods.isEmpty { methods = inherited(member, .method) }
    if methods.isEmpty { throw unknown(member) }
    return .method(OverloadSet(methods, named: member, in: runtime).register())
  }

  /// A function of an object and the new value.
  func superSetter(_ member: String) throws(LuaRaise) -> UnsafeMutablePointer<waxwing_callback> {
    if let setter = try function(member, .setter) { return try callable(setter, .current) }
    guard let field = fields.last(where: { $0.name == member }) else {
      throw unknownProperty(member)
    }
    let accessor = try FieldAccess(field, name)
    try accessor.checkWritable()
    let state = runtime.state!
    return state.register { (call) throws(LuaRaise) in
      try accessor.write(&call, valueIndex: 1, state)
    }
  }
}
