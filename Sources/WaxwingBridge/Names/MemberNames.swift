// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection

extension Selector {
  /// The base names that the text may have: `deposit` of `deposit(_:memo:)`; of `deposit_memo`,
  /// which may be a base name with a label, both.
  package var baseNames: [String] {
    if let parenthesis = text.firstIndex(of: "("), parenthesis != text.startIndex {
      return [String(text[..<parenthesis])]
    }
    var names = [text]
    if let space = text.firstIndex(where: \.isWhitespace) { names.append(String(text[..<space])) }
    for index in text.indices where text[index] == "_" && index != text.startIndex {
      names.append(String(text[..<index]))
    }
    return names
  }
}
