// SPDX-License-Identifier: MIT

/// The last error of an override.
package struct ErrorReport: Hashable, Sendable, Codable {
  /// The error, without the place.
  package let message: String

  /// The patch's file, as in `PatchFile.name`.
  package let file: String

  /// The line in that file; 0 if unknown.
  package let line: Int

  /// The Lua traceback, innermost call first, a line each.
  package let traceback: [String]

  /// The qualified selector of the override that failed.
  let method: String

  /// How often this override has failed.
  package let count: Int

  /// The time of the last failure.
  package let at: Timestamp

  /// Creates a report.
  package init(
    message: String, file: String, line: Int, traceback: [String], method: String, count: Int,
    at: Timestamp
  ) {
    self.message = message
    self.file = file
    self.line = line
    self.traceback = traceback
    self.method = method
    self.count = count
    self.at = at
  }
}
