// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import Glibc

/// What the runtime's `swift_demangle` makes of symbols. It knows every kind of symbol; `Demangler` knows those of
/// declarations.
enum RuntimeDemangler {
  static func text(of symbol: String) -> String? {
    guard let text = unsafe swift_demangle(symbol, symbol.utf8.count, nil, nil, 0) else {
      return nil
    }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }
}
