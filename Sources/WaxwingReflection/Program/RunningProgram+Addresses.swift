// SPDX-License-Identifier: MIT

extension RunningProgram {
  /// The Swift symbols at this address. Looks at all symbols of its image.
  package func symbols(at address: UInt) -> [String] {
    image(at: address)?.symbols.names(at: address) ?? []
  }

  /// The Swift symbols that begin like this, in the image that has the address.
  package func symbols(prefix: String, near address: UInt) -> [String] {
    image(at: address)?.symbols.symbols(prefix: prefix).map(\.name) ?? []
  }

  /// Where the Swift symbols that begin like this are, in the image that has the address.
  package func addresses(prefix: String, near address: UInt) -> [UInt] {
    image(at: address)?.symbols.symbols(prefix: prefix).map(\.address) ?? []
  }

  /// Where the Swift symbol of this name is, in the image that has the address.
  package func address(ofSymbol name: String, near address: UInt) -> UInt? {
    image(at: address)?.symbols.address(of: name)
  }

  /// Whether one of the system's or Swift's own libraries has the address.
  package func isInSystem(_ address: UInt) -> Bool { image(at: address)?.image.isSystem == true }

  /// The address of the next symbol of the image after this address.
  package func nextSymbol(after address: UInt) -> UInt? {
    image(at: address)?.symbols.next(after: address)
  }
}
