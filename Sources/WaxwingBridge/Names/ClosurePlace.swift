// SPDX-License-Identifier: MIT

package import WaxwingReflection

/// The name of a closure by the line that it begins on: `Routes.swift:42`.
package struct ClosurePlace: Hashable, Sendable {
  package let file: String
  package let line: Int

  /// Nil: the text is no such name.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    file = String(text[..<colon])
    guard file.hasSuffix(".swift"), file.count > 6, !file.contains("/"),
      (1...9).contains(digits.count),
      digits.allSatisfy({ ("0"..."9").contains($0) }), let line = Int(digits)
    else { return nil }
    self.line = line
  }

  /// Whether a closure is written there.
  package func isPlace(of closure: DescribedClosure?) -> Bool {
    closure?.line == line && closure?.file == file
  }

  /// The places in the same file that closures have, the nearest first; those of files with similar names if it has
  /// none.
  package func near(_ closures: [DescribedClosure?]) -> [String] {
    let known = closures.compactMap(\.self)
    let same = known.filter { $0.file == file }.sorted {
      (abs($0.line - line), $0.line) < (abs($1.line - line), $1.line)
    }
    if !same.isEmpty { return Array(same.map(\.place).uniqued.prefix(3)) }
    let files = Set(Suggestions.nearest(to: file, in: Set(known.map(\.file))))
    return Array(known.filter { files.contains($0.file) }.map(\.place).sorted().uniqued.prefix(3))
  }
}
