// SPDX-License-Identifier: MIT

/// Why nothing can be written to an audit log, or read from it.
package struct AuditError: Error, Hashable, Sendable {
  /// The error in one sentence, with the file's path.
  package let message: String
  /// The remedy.
  package let remedy: String

  /// Creates an error.
  init(_ message: String, remedy: String) {
    self.message = message
    self.remedy = remedy
  }
}
