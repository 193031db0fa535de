// SPDX-License-Identifier: MIT

/// A protocol that tells the element type of arrays of any type.
package protocol ArrayType {
  static var elementType: any Any.Type { get }
}

extension Array: ArrayType {
  package static var elementType: any Any.Type { Element.self }
}
