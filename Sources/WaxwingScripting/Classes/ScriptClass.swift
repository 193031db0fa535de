// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingMetadata
internal import WaxwingNames
internal import WaxwingOverrides
internal import WaxwingReflection

/// A class of Lua's as the script has it that declares it: the functions that it gives the class.
///
/// Used by the thread that has entered the script's state.
final class ScriptClass {
  let number: Int
  let made: LuaClass
  /// The superclass if it is one of the script's too.
  let parent: ScriptClass?
  /// The classes of the program's that it inherits from, nearest first.
  let ancestry: [RunningType]
  /// What the script has at functions that the class overrides.
  private(set) var points: [RunningFunction: PointOverrides] = [:]
  /// The Lua function that initializes objects.
  var initializer: Int32?
  /// The Lua function that is told of an object's end.
  var deinitializer: Int32?
  /// It is to conform to protocols.
  var hasProtocols = false
  /// What stands for its static members.
  var staticTypeObject: Int32?

  init(_ number: Int, _ made: LuaClass, under parent: ScriptClass?, in program: RunningProgram) {
    self.number = number
    self.made = made
    self.parent = parent
    ancestry = TypeMetadata.ancestry(of: made.superclass, in: program)
  }

  var descriptor: UInt { TypeMetadata.descriptor(of: made.type) ?? 0 }

  /// What the script has at a function that this class overrides.
  func overrides(of function: RunningFunction) -> PointOverrides {
    if let known = points[function] { return known }
    let point = PointOverrides(function)
    points[function] = point
    return point
  }
}

// MARK: - The classes of a script

extension ScriptRuntime {
  /// The script's class that a type is; nil: it is none.
  func scriptClass(_ type: any Any.Type) -> ScriptClass? {
    classes.isEmpty ? nil : classesByType[ObjectIdentifier(type)]
  }

  /// The one of this number.
  func scriptClass(_ value: wax_lua_value) -> ScriptClass? {
    guard value.tag == WAX_LUA_VALUE_INTEGER.rawValue, classes.indices.contains(Int(value.integer))
    else { return nil }
    return classes[Int(value.integer)]
  }

  /// What the nearest of the script's classes that are below `viewed` has at a function: on an object of a
  /// class `type`, seen as one of its superclasses, the call goes on below it.
  func nearestPoint(
    of function: RunningFunction, below viewed: any Any.Type, from type: any Any.Type
  ) -> PointOverrides? {
    var found: PointOverrides?
    var current = type
    while current != viewed, let known = scriptClass(current) {
      found = known.points[function] ?? found
      current = known.made.superclass
    }
    return found
  }

  /// Makes a class over another one.
  func makeClass(
    _ name: String, over superclass: any Any.Type, under parent: ScriptClass?
  ) throws(LuaClassError) -> ScriptClass {
    let made = try LuaClasses.make(name, module: Self.module(options.name), over: superclass)
    let known = ScriptClass(classes.count, made, under: parent, in: resolver.program)
    classes.append(known)
    classesByType[ObjectIdentifier(made.type)] = known
    return known
  }

  /// A patch's name as a module's.
  private static func module(_ name: String) -> String {
    let letters = name.map { $0.isLetter || $0.isNumber ? $0 : "_" }
    return letters.isEmpty ? "patch" : String(letters)
  }
}
