// SPDX-License-Identifier: MIT

/// To see what arrays are made of.
protocol ArrayType {
  static var elementType: any Any.Type { get }
}

extension Array: ArrayType {
  static var elementType: any Any.Type { Element.self }
}
