// SPDX-License-Identifier: MIT

/// A protocol that recognises optionals of any type.
package protocol OptionalType {
  static var wrappedType: any Any.Type { get }
  var isNil: Bool { get }
}

extension Optional: OptionalType {
  package static var wrappedType: any Any.Type { Wrapped.self }
  package var isNil: Bool { self == nil }
}
