// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations

/// Whether a name may be part of a symbol, told without parsing the symbol.
struct NameInSymbol {
  private let bytes: [UInt8]

  init(_ name: String) {
    let isSpelled = name != "init" && name != "subscript"
    bytes = isSpelled ? Array(DeclarationName(name).mangledOperator.utf8) : []
  }

  /// Words that have occurred before are spelled as letters behind a 0, names with letters beyond
  /// ASCII behind two; such symbols may always be meant. Names of special members are not spelled.
  func mayBeIn(_ symbol: UnsafeRawBufferPointer) -> Bool {
    var previous: UInt8 = 0
    for index in symbol.indices {
      let byte = symbol[index]
      if byte == UInt8(ascii: "0"), !(0x30...0x39).contains(previous) { return true }
      previous = byte
      if byte == bytes.first, symbol[index...].starts(with: bytes) { return true }
    }
    return bytes.isEmpty
  }
}
