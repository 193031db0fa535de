// SPDX-License-Identifier: MIT

/// To see what arrays are made of.
package protocol ArrayType {
  static var elementType: any Any.Type { get }
}

extension Array: ArrayType {
  package static var elementType: any Any.Type { Element.self }
}
