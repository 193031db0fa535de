// SPDX-License-Identifier: MIT

import WaxwingLua

/// A Lua function that a script has made a method of a Swift type.
package struct AddedMethod: Sendable {
  /// The type that the script has named, `Bank.Account`.
  package let owner: String
  package let name: String
  /// Whether the method belongs to the type itself, not to its instances.
  package let isStatic: Bool
  /// Where the function is written.
  let origin: LuaFrame
  /// The address of the owner's descriptor.
  let descriptor: UInt
  /// The function, as a registry reference of the script's state.
  let reference: Int32
  /// The reference of a function that takes an object as `super` gives it.
  let superReference: Int32
  /// The function, as Lua tells it from others.
  let identity: UInt
  /// The owner is a class that the script has made: the function may override one of Swift's.
  var isOfClass = false
  /// Whether the method stands for a function of the program, and is reported as an override of
  /// that.
  package var isOverride = false

  /// The qualified name, such as `Bank.Account.greeting`.
  package var qualifiedName: String { "\(owner).\(name)" }
}
