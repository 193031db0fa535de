// SPDX-License-Identifier: MIT

/// References to native Swift objects as plain pointers.
package enum ObjectReference {
  package static func dynamicType(_ pointer: UnsafeMutableRawPointer) -> any Any.Type {
    TypeMetadata.type(at: pointer.load(as: UnsafeRawPointer.self))
  }

  package static func retain(_ pointer: UnsafeMutableRawPointer) {
    _ = Unmanaged<AnyObject>.fromOpaque(pointer).retain()
  }

  package static func release(_ pointer: UnsafeMutableRawPointer) {
    Unmanaged<AnyObject>.fromOpaque(pointer).release()
  }

  /// Whether the word is the address of a variable that holds a reference to an object, rather than the
  /// reference itself: an object begins with the address of its class's metadata, which begins with the kind
  /// of classes, 0.
  package static func isVariable(at word: UInt) -> Bool {
    guard let address = UnsafePointer<UInt>(bitPattern: word),
      let first = UnsafePointer<UInt>(bitPattern: address.pointee)
    else { return false }
    return first.pointee != 0
  }
}
