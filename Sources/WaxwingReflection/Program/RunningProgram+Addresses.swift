// SPDX-License-Identifier: MIT

extension RunningProgram {
  /// The Swift symbols of what begins at this address. Looks at all of the image that has it.
  package func symbols(at address: UInt) -> [String] {
    image(at: address)?.symbols.names(at: address) ?? []
  }

  /// The Swift symbols that begin like this, in the image that has the address.
  package func symbols(prefix: String, near address: UInt) -> [String] {
    image(at: address)?.symbols.symbols(prefix: prefix).map(\.name) ?? []
  }
}
