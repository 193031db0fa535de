// SPDX-License-Identifier: MIT

/// What went wrong in the tests' own machinery, never in what they test.
package struct TestSupportError: Error, CustomStringConvertible {
  /// One sentence with what was awaited and what came instead.
  package let message: String

  package var description: String { message }

  package init(_ message: String) {
    self.message = message
  }
}
