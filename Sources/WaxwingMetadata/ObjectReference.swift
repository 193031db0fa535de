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
}
