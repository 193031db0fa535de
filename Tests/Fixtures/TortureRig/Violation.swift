// SPDX-License-Identifier: MIT

/// Something that must not be.
struct Violation: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// - Throws: `Violation`
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  if !condition { throw Violation(message()) }
}
