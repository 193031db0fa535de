// SPDX-License-Identifier: MIT

/// The module that the symbol of something in Swift begins with.
package enum SymbolModule {
  /// The name of the module whose code or data a symbol stands for, without parsing the rest; nil if the symbol does not
  /// begin with a module, as those of members that a module adds to types of the standard library.
  package static func name(in symbol: String) -> String? {
    let rest = symbol.dropFirst(2)
    let digits = rest.prefix(while: \.isWholeNumber)
    guard let count = Int(digits), count > 0, digits.first != "0" else { return nil }
    return String(decoding: rest.utf8.dropFirst(digits.utf8.count).prefix(count), as: UTF8.self)
  }
}
