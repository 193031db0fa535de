// SPDX-License-Identifier: MIT

/// The parts of an existential type.
package struct ProtocolComposition: Hashable, Sendable {
  /// The protocols, each a nominal type.
  package let protocols: [TypeNode]
  /// The class that the value must inherit from.
  package let superclass: TypeNode?
  /// Whether `AnyObject` is a part.
  package let isClassBound: Bool

  /// How many parts there are.
  package var partCount: Int {
    protocols.count + (superclass == nil ? 0 : 1) + (isClassBound ? 1 : 0)
  }
}
