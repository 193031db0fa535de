// SPDX-License-Identifier: MIT

/// Why a type cannot be made to conform to a protocol.
package struct ConformanceError: Error, CustomStringConvertible {
  /// What is wrong and what to write.
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
