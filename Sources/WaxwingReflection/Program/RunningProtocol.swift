// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// A protocol of the running program.
package struct RunningProtocol: Hashable, Sendable {
  /// The qualified name of the protocol, such as `Bank.Named`.
  package let name: String
  package let nominal: NominalType
  /// The prefix of the symbols of its requirements and extensions.
  let symbol: String
  /// The address of its descriptor.
  package let descriptor: UInt

  /// - Parameter descriptorSymbol: `$s4Bank5NamedMp`, `$sSTMp`
  init?(descriptorSymbol: String, descriptor: UInt) {
    guard descriptorSymbol.hasPrefix("$s") else { return nil }
    let base = String(descriptorSymbol.dropLast(2))
    // Only a protocol with a letter of its own is a type without the operator `P`.
    let spelled = [base, base + "P"].first { Self.nominal($0) != nil }
    guard let spelled, let nominal = Self.nominal(spelled) else { return nil }
    self.nominal = nominal.unbound
    self.descriptor = descriptor
    symbol = spelled
    name = nominal.qualifiedName
  }

  private static func nominal(_ symbol: String) -> NominalType? {
    guard let nominal = TypeNode(mangled: String(symbol.dropFirst(2)))?.nominal,
      nominal.kind == .protocol
    else { return nil }
    return nominal
  }
}
