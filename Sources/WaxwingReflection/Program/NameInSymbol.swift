// SPDX-License-Identifier: MIT

internal import CWaxwingProcess
internal import WaxwingDeclarations

/// Whether a name may be part of a symbol, told without parsing the symbol.
struct NameInSymbol {
  private let bytes: [UInt8]

  init(_ name: String) {
    let isSpelled = name != "init" && name != "subscript"
    bytes = isSpelled ? Array(DeclarationName(name).mangledOperator.utf8) : []
  }

  /// Whether the name may be in a symbol. Also true for symbols that only parsing can tell. The
  /// names of special members are not spelled in symbols, so any symbol may have them.
  func mayBeIn(_ symbol: UnsafeRawBufferPointer) -> Bool {
    guard !bytes.isEmpty, let start = symbol.baseAddress else { return bytes.isEmpty }
    return unsafe wax_process_symbol_may_have(start, symbol.count, bytes, bytes.count)
  }
}
