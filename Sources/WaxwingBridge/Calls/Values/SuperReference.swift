// SPDX-License-Identifier: MIT

internal import CWaxwingABI
package import CWaxwingLua
internal import WaxwingDeclarations
package import WaxwingLua
package import WaxwingReflection
internal import WaxwingValues

/// `object.super`: the object with the members that a superclass gives it, as `super` in Swift.
///
/// In an override of a method of a class, and whatever it calls, it is that class's superclass, also
/// if the object's own class is one below. Elsewhere it is the object's own class's, and
/// `object.super.super` the next one.
package enum SuperReference {
  /// - Parameter viewed: The class that the object was seen as already; nil: its own.
  package static func push(
    _ receiver: wax_lua_value, viewedAs viewed: (any Any.Type)?, _ writer: LuaWriter,
    in program: RunningProgram
  ) throws(LuaRaise) {
    guard receiver.tag == WAX_LUA_VALUE_OBJECT.rawValue, let object = receiver.pointer else {
      throw .message("only objects have a `super`")
    }
    if wax_abi_is_deallocating(object) {
      throw .message("an object that is being deinitialized cannot be used as its superclass's")
    }
    let type = viewed ?? runningClass(object, program) ?? ObjectReference.dynamicType(object)
    guard let parent = TypeMetadata.superclass(of: type) else {
      throw .message("\(TypeName.short(type)) has no superclass")
    }
    writer.proxy(WAX_PROXY_KIND_SUPER, object, type: TypeMetadata.pointer(to: parent))
  }

  /// The class that declares the innermost running override of a method of the object.
  private static func runningClass(
    _ object: UnsafeMutableRawPointer, _ program: RunningProgram
  ) -> (any Any.Type)? {
    if let known = ActiveCall.luaClass(ofOverridesOn: object) { return known.type }
    let own = ObjectReference.dynamicType(object)
    let ancestry = TypeMetadata.ancestry(of: own, in: program)
    for owner in ActiveCall.owners(ofOverridesOn: object) {
      guard let known = ancestry.first(where: { $0.nominal == owner.unbound }) else { continue }
      var current: (any Any.Type)? = own
      while let type = current {
        if TypeMetadata.descriptor(of: type) == known.descriptor { return type }
        current = TypeMetadata.superclass(of: type)
      }
    }
    return nil
  }
}
