// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingReflection
internal import WaxwingValues

/// A class of Lua's as the script has it that declares it: the functions that it gives the class.
///
/// Used by the thread that has entered the script's state.
final class ScriptClass {
  let number: Int
  let made: LuaClass
  /// The address of its descriptor.
  let descriptor: UInt
  /// The superclass if it is one of the script's too.
  let parent: ScriptClass?
  /// The classes of the program's that it inherits from, nearest first.
  let ancestry: [RunningType]
  /// The script's overrides of the functions that the class overrides.
  private(set) var points: [RunningFunction: PointOverrides] = [:]
  /// The Lua function that initializes objects.
  var initializer: Int32?
  /// The Lua function that is told of an object's end.
  var deinitializer: Int32?
  /// Whether the class is to conform to protocols.
  var hasProtocols = false
  /// The reference of the object that stands for the class's static members.
  var staticTypeObject: Int32?

  init(_ number: Int, _ made: LuaClass, under parent: ScriptClass?, in program: RunningProgram) {
    self.number = number
    self.made = made
    self.parent = parent
    ancestry = parent?.ancestry ?? TypeMetadata.ancestry(of: made.superclass, in: program)
    descriptor = TypeMetadata.descriptor(of: made.type) ?? 0
  }

  /// The script's overrides of a function that this class overrides.
  func overrides(of function: RunningFunction) -> PointOverrides {
    if let known = points[function] { return known }
    let point = PointOverrides(function)
    points[function] = point
    return point
  }
}
