// SPDX-License-Identifier: MIT

/// One element of a tuple or one parameter of a function type.
package struct TupleElement: Hashable, Sendable {
  /// The element's label, nil if it has none.
  package var label: String?
  /// The element's type, modifiers such as `inout` included.
  package var type: TypeNode
  /// Whether the element is `T...`; `type` is then `T`, though an array is passed.
  package var isVariadic = false

  /// An element as it is written: `name: Int`, or without a label.
  package init(label: String? = nil, type: TypeNode, isVariadic: Bool = false) {
    self.label = label
    self.type = type
    self.isVariadic = isVariadic
  }
}
