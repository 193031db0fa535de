// SPDX-License-Identifier: MIT

/// A class, struct or enum of the running program.
package struct RunningType: Hashable, Sendable {
  /// `Bank.Account`
  package let name: String
  package let nominal: NominalType
  /// What the symbols of its members start with.
  let symbol: String
  /// The address of its context descriptor.
  package let descriptor: UInt

  package var node: TypeNode { .nominal(nominal) }

  /// - Parameter descriptorSymbol: `$s4Bank7AccountCMn`
  init?(descriptorSymbol: String, descriptor: UInt) {
    guard descriptorSymbol.hasPrefix("$s") else { return nil }
    symbol = String(descriptorSymbol.dropLast(2))
    guard let nominal = TypeNode(mangled: String(symbol.dropFirst(2)))?.nominal,
      [.class, .struct, .enum].contains(nominal.kind)
    else { return nil }
    self.nominal = nominal.unbound
    self.descriptor = descriptor
    name = nominal.qualifiedName
  }
}
