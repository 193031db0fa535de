// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Synchronization
internal import WaxwingDeclarations
internal import WaxwingReflection
internal import WaxwingValues

/// All classes that Lua code has made in this process.
package enum LuaClasses {
  private struct Key: Hashable {
    let module: String
    let name: String
    let superclass: ObjectIdentifier
  }

  /// How many there may be: the memory of each stays.
  static let most = 4096

  private static let known = Mutex<[Key: LuaClass]>([:])
  private static let wereMade = Atomic<Bool>(false)

  /// Whether there is any.
  static var areThere: Bool { wereMade.load(ordering: .relaxed) }

  /// The class of this name over a superclass: the one that was made before, if there is one.
  /// - Throws: `LuaClassError` if there can be none.
  package static func make(
    _ name: String, module: String, over superclass: any Any.Type
  ) throws(LuaClassError) -> LuaClass {
    try check(superclass)
    let key = Key(module: module, name: name, superclass: ObjectIdentifier(superclass))
    return try known.withLock { (known) throws(LuaClassError) in
      if let found = known[key] { return found }
      guard known.count < most else {
        throw LuaClassError(
          "\(most) classes have been made in this process, which is the maximum: restart the program"
        )
      }
      let made = try LuaClass(name, module: module, over: superclass)
      made.joinParent()
      known[key] = made
      wereMade.store(true, ordering: .relaxed)
      wax_call_forget_choices()
      return made
    }
  }

  /// How many classes have been looked at in this process to find those above and below others.
  ///
  /// Tests tell by it what going live and ending cost, whatever the time on the machine.
  package static var visits: Int { visited.load(ordering: .relaxed) }

  private static let visited = Atomic<Int>(0)

  /// Adds `visits` to the number of classes looked at.
  package static func count(visits: Int) { visited.wrappingAdd(visits, ordering: .relaxed) }

  /// - Throws: `LuaClassError` if it is no class that can have subclasses.
  package static func check(_ superclass: any Any.Type) throws(LuaClassError) {
    let name = TypeName.short(superclass)
    guard TypeMetadata.kind(of: superclass) == .class else {
      throw LuaClassError("\(name) is not a class: only classes have subclasses")
    }
    if FunctionIsolation.isActor(superclass) {
      throw LuaClassError("\(name) is an actor, and actors have no subclasses")
    }
    if LuaClass.of(superclass) == nil, isFinal(superclass) {
      throw LuaClassError(
        "\(name) is `final`: the program's code assumes that there is no subclass; override its "
          + "methods, or make a class of its superclass")
    }
  }

  /// A class that has stored properties has methods for them in its vtable, unless it is final: an entry
  /// of another kind than an initializer's.
  ///
  ///     descriptor -> { header: 11 words of 32 bits, generic header …, initialization: 3 words, if any,
  ///                     vtable: offset: UInt32, count: UInt32, { flags: UInt32, code } … }
  ///
  /// The flags' lowest four bits are the kind, 1 for initializers. include/swift/ABI/MetadataValues.h,
  /// `MethodDescriptorFlags` and `TypeContextDescriptorFlags`, Swift 6.3.
  private static func isFinal(_ type: any Any.Type) -> Bool {
    let descriptor = LuaClass.Layout(type).descriptor
    let context = ContextDescriptor(descriptor)
    let hasFields = descriptor.load(fromByteOffset: 36, as: UInt32.self) > 0
    // What comes before the vtable: generic headers and a resilient superclass are not looked through.
    guard hasFields, !context.isGeneric, context.kindFlags & 0x2000 == 0,
      [0, 1].contains(context.kindFlags & 3)
    else { return false }
    guard context.kindFlags & 0x8000 != 0 else { return true }
    let isInitializedLate = context.kindFlags & 3 == 1
    let table = descriptor + (isInitializedLate ? 56 : 44)
    let count = Int(table.load(fromByteOffset: 4, as: UInt32.self))
    return (0..<count).allSatisfy {
      table.load(fromByteOffset: 8 + 8 * $0, as: UInt32.self) & 0xf == 1
    }
  }
}
