// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations

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

  /// The name of the module whose source has the code that a symbol stands for: what an extension adds to another module's
  /// type is the extension's. Nil if nothing tells.
  package static func ofCode(_ symbol: String) -> String? {
    // Most need not be parsed: they are of no extension, which has an `E`, and no copy or witness, which has a `T`.
    if let name = name(in: symbol), !symbol.utf8.contains(UInt8(ascii: "E")),
      !symbol.utf8.contains(UInt8(ascii: "T"))
    {
      return name
    }
    if let declaration = FunctionDeclaration(symbol: symbol) { return declaration.module }
    if symbol.contains("TW") { return ofConformance(symbol) }
    // Behind the symbol of a function stands what is made of it: a forwarder, or a copy, which any module may make that
    // calls the function, and which may have code of that module in it.
    for end in symbol.indices.reversed() where functionEnds.contains(symbol[end]) {
      guard let declaration = FunctionDeclaration(symbol: String(symbol[...end])) else { continue }
      let rest = symbol[end...].dropFirst()
      return copyEndings.contains(where: rest.contains) ? nil : declaration.module
    }
    for ending in ["_WZ", "fi"] where symbol.hasSuffix(ending) {
      // It sets a variable, and has the variable's symbol.
      let variable = symbol.dropLast(ending.count)
      let getter =
        variable.hasSuffix("vpZ") ? variable.dropLast(2) + "gZ" : variable.dropLast() + "g"
      if let declaration = FunctionDeclaration(symbol: String(getter)) { return declaration.module }
    }
    return name(in: symbol)
  }

  /// A witness is its conformance's, which may stand in the type's module, the protocol's or another one. The runtime's text
  /// of its symbol ends with that.
  private static func ofConformance(_ witness: String) -> String? {
    guard let words = RuntimeDemangler.text(of: witness)?.split(separator: " "),
      words.contains("conformance"), let module = words.last, words.dropLast().last == "in"
    else { return nil }
    return String(module)
  }

  /// What is in the symbols of copies for certain types or arguments, behind that of the function.
  private static let copyEndings = ["Tg", "TG", "Tf", "Tp", "TP", "Tt", "TB"]

  /// The last characters of functions' symbols.
  private static let functionEnds: Set<Character> = ["F", "Z", "C", "c", "g", "s", "M", "D", "_"]
}
