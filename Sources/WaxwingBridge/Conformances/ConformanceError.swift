// SPDX-License-Identifier: MIT

/// Why a type cannot be made to conform to a protocol.
struct ConformanceError: Error, CustomStringConvertible {
  /// What is wrong and what to write.
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
