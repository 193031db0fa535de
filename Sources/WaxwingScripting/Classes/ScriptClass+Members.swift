// SPDX-License-Identifier: MIT

internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingReflection
internal import WaxwingValues

/// Finds the functions of the superclass that a class made by a patch overrides.
extension ScriptClass {
  /// The function of this name that the nearest of the superclasses has; nil: none has one.
  /// - Throws: `NameError` if it may mean several.
  func function(
    _ name: String, _ kind: MemberKind, isStatic: Bool, in program: RunningProgram
  ) throws(NameError) -> RunningFunction? {
    for type in ancestry {
      let members = program.members(of: type).filter {
        kind.includes($0.declaration.kind) && $0.declaration.isStatic == isStatic
          && !$0.declaration.isInitializer
      }
      let found = NameResolver.meant(by: name, among: members)
      if found.count > 1 { throw .ambiguous(name, NameResolver.distinctNames(found)) }
      if let function = found.first { return function }
    }
    return nil
  }

  /// The initializers that set up an object's fields, of the superclass.
  func designatedInitializers(in program: RunningProgram) -> [RunningFunction] {
    DesignatedInitializers(ofClassWithAncestry: ancestry, in: program).usable
  }

  /// The initializers that have symbols, but that the superclass does not have.
  func missingInitializers(in program: RunningProgram) -> [RunningFunction] {
    DesignatedInitializers(ofClassWithAncestry: ancestry, in: program).missing
  }

  /// The function as it is overridden for objects of this class: by its own entry, so that direct
  /// calls are seen too; otherwise by the class's vtable.
  /// - Throws: `LuaClassError` if it can be neither way.
  func overridable(
    _ function: RunningFunction, in program: RunningProgram
  ) throws(LuaClassError) -> (RunningFunction, Override.Target) {
    // In that of the program's class: words of ours may have been replaced.
    let places = LuaClass.Layout(made.swiftSuperclass).places(of: function.address)
    let target = Override.Target(
      luaClass: made, isInVtable: !function.isPatchPoint,
      offset: places.count == 1 ? places[0] : nil, isStatic: function.declaration.isStatic)
    if function.isPatchPoint {
      // Its coroutine calls it by its entry. After the end the vtable alone is left.
      if places.count == 1 { try? modify(with: function, in: program) }
      return (function, target)
    }
    let name = function.displayedName
    guard places.count == 1 else {
      throw LuaClassError(
        places.isEmpty
          ? "\(name) cannot be overridden: it was not compiled with implicit dynamic, and calls of it do not go "
            + "through the vtable (it is `final`, or in an extension)"
          : "\(name) cannot be overridden: it shares its code with other methods of the class")
    }
    try modify(with: function, in: program)
    return (function.replaced(at: UInt(bitPattern: made.metadata + places[0])), target)
  }
}
