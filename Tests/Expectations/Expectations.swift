// SPDX-License-Identifier: MIT

package import Testing

/// Records an issue if two values differ, as `#expect(actual == expected)` does.
///
/// For tests of which there are thousands of lines: the compiler takes several times as long for what the macro makes
/// of `==` as for a call of a generic function.
/// - Parameter sourceLocation: Where the issue is recorded: the line of the call.
package func expectEqual<Value: Equatable>(
  _ actual: Value, _ expected: Value, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(actual == expected, sourceLocation: sourceLocation)
}

/// Records an issue if a text does not contain another one, and shows both.
/// - Parameter sourceLocation: Where the issue is recorded: the line of the call.
package func expectContains(
  _ text: String, _ part: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(text.contains(part), sourceLocation: sourceLocation)
}

extension RandomAccessCollection where Index == Int, Element: RangeReplaceableCollection {
  /// A line, a word or a list at a place, from 0 on. If there are fewer, records an issue that shows them, and gives an
  /// empty one: `[0]` would end the process with all its tests.
  package subscript(
    at index: Int, sourceLocation sourceLocation: SourceLocation = #_sourceLocation
  ) -> Element {
    guard indices.contains(index) else {
      Issue.record("nothing at \(index) of \(Array(self))", sourceLocation: sourceLocation)
      return Element()
    }
    return self[index]
  }
}
