// SPDX-License-Identifier: MIT

internal import CWaxwingLua

/// A part of memory that both C and Swift read, each by a declaration of its own.
package struct SharedField {
  /// The name that Swift has for it.
  package let name: String
  /// Bytes from the start of C's struct.
  package let inC: Int?
  /// Bytes from the start of Swift's object; nil: it has no such field.
  package let inSwift: Int?
}

/// The memory that both C and Swift read, each by a declaration of its own.
package enum SharedLayout {
  /// The fields of closures that are made of Lua functions.
  package static var closure: [SharedField] { LuaClosure.layout }

  /// The size of a call's record: C's struct, and Swift's around it.
  package static let record = (
    inC: MemoryLayout<wax_call_active>.size, inSwift: MemoryLayout<ActiveCall>.size
  )
}
