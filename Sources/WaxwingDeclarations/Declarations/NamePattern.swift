// SPDX-License-Identifier: MIT

/// What the user types to pick names: part of a name, or a whole name with `*` (any characters, or
/// none) and `?` (any one character).
package struct NamePattern: Hashable, Sendable {
  private let pattern: GlobPattern

  /// Makes a pattern; without `*` and `?` it matches names that contain it.
  package init(_ text: String) {
    let isGlob = text.contains("*") || text.contains("?")
    pattern = GlobPattern(
      Array((isGlob ? text : "*\(text)*").utf8), questionMark: .character)
  }

  /// Whether the name fits.
  package func matches(_ name: String) -> Bool { pattern.matches(Array(name.utf8)) }
}
