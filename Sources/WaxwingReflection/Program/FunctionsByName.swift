// SPDX-License-Identifier: MIT

/// The patch points of one type or module, by base name.
package struct FunctionsByName: Sendable {
  package private(set) var all: [RunningFunction] = []
  private var byName: [String: [RunningFunction]] = [:]

  mutating func append(_ function: RunningFunction) {
    all.append(function)
    byName[function.declaration.baseName, default: []].append(function)
  }

  /// Those that a script may mean by a text: it begins with their base names, or is a symbol.
  package func functions(meantBy text: String) -> [RunningFunction] {
    if text.hasPrefix("$s") { return all }
    let ends = text.indices.dropFirst() + [text.endIndex]
    return ends.flatMap { byName[String(text[..<$0])] ?? [] }
  }
}
