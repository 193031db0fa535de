// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// The function that the optimiser has made a copy of, for certain types or arguments.
package struct CopiedFunction {
  package let symbol: String
  package let declaration: FunctionDeclaration

  /// - Parameter copy: The symbol of the copy.
  /// - Returns: nil: it is no copy, of no function that is known, or one to which functions are passed as values of a
  ///   generic type or that has the code of a function it is passed.
  package init?(of copy: String) {
    guard copy.hasPrefix("$s"), let text = RuntimeDemangler.text(of: copy),
      !text.contains("Closure Propagated")
    else { return nil }
    var rest = Substring(text)
    while let types = Self.types(ofCopy: rest) {
      if types.contains("->") { return nil }
      rest = rest.dropFirst(types.count)
    }
    if rest.count == text.count { return nil }
    // The symbol of the function is a part of the copy's: which, the runtime's text of it tells.
    for end in copy.indices.reversed() where Self.ends.contains(copy[end]) {
      let symbol = String(copy[...end])
      guard let declaration = FunctionDeclaration(symbol: symbol),
        RuntimeDemangler.text(of: symbol).map({ $0 == rest }) == true
      else { continue }
      self.symbol = symbol
      self.declaration = declaration
      return
    }
    return nil
  }

  /// What a text of a copy begins with, as `generic specialization <Swift.Int> of `.
  private static func types(ofCopy text: Substring) -> Substring? {
    guard beginnings.contains(where: text.hasPrefix), let open = text.firstIndex(of: "<") else {
      return nil
    }
    var depth = 0
    var last: Character = " "
    for index in text[open...].indices {
      switch text[index] {
      case "<": depth += 1
      case ">" where last != "-": depth -= 1
      default: break
      }
      last = text[index]
      guard depth == 0 else { continue }
      let end = text[index...].dropFirst()
      return end.hasPrefix(" of ") ? text[..<end.index(end.startIndex, offsetBy: 4)] : nil
    }
    return nil
  }

  private static let beginnings = [
    "generic specialization <", "generic not re-abstracted specialization <",
    "function signature specialization <",
  ]

  /// The last characters of functions' symbols.
  private static let ends: Set<Character> = ["F", "Z", "C", "c"]
}
