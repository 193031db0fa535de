// SPDX-License-Identifier: MIT

/// A name and what tells it apart from the same name elsewhere.
package struct DeclarationName: Hashable, Sendable {
  /// Where an operator stands.
  package enum Fixity: String, Hashable, Sendable {
    /// An operator between its operands.
    case infix
    /// An operator before its operand.
    case prefix
    /// An operator after its operand.
    case postfix
  }

  /// The name itself; empty for initializers and subscripts.
  package var text: String
  /// The mark of a name that is private to a file.
  var privateDiscriminator: String?
  /// The index among declarations of the same name inside a function, counted from 0.
  package var localIndex: Int?
  /// Set if the name is an operator.
  package var fixity: Fixity?
  /// The importer's letter for a type made up beside an imported one, such as an error's code.
  var relatedKind: String?

  /// A name with nothing to add.
  package init(_ text: String) {
    self.text = text
  }

  /// Whether the text is all there is to the name.
  var isPlain: Bool { self == DeclarationName(text) }
}

extension DeclarationName {
  /// The name as people type it in a selector: raw identifiers without their backticks and with
  /// ordinary spaces, which symbols have as no-break spaces.
  package var plainText: String {
    guard text.utf8.first == UInt8(ascii: "`"), text.utf8.count > 2 else { return text }
    return String(spaced(text.dropFirst().dropLast()))
  }

  /// The name as in source: raw identifiers with their backticks.
  var sourceText: String { String(spaced(text[...])) }

  private func spaced(_ text: Substring) -> String.UnicodeScalarView {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(scalar == "\u{a0}" ? " " : scalar) }
    return scalars
  }
}
