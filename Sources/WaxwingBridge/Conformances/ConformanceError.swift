// SPDX-License-Identifier: MIT

/// Why a type cannot be made to conform to a protocol.
package struct ConformanceError: Error, CustomStringConvertible {
  /// A description of the problem and of what to write.
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
