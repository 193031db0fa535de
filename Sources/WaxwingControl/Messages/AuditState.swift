// SPDX-License-Identifier: MIT

/// How a daemon's audit log is.
package struct AuditState: Hashable, Sendable, Codable {
  /// The file; nil: the daemon keeps no audit log.
  package let path: String?

  /// The number of the last record, 0 if there is none.
  package let records: Int

  /// The SHA-256 of the last record's line, in hexadecimal. `waxwing audit verify` finds the same
  /// in a file from which nothing was cut.
  package let head: String

  /// Why nothing can be written to it; nil: all is well.
  package let trouble: String?

  /// Creates a state.
  package init(path: String?, records: Int = 0, head: String = "", trouble: String? = nil) {
    self.path = path
    self.records = records
    self.head = head
    self.trouble = trouble
  }
}

/// The end of a daemon's audit log.
package struct AuditExcerpt: Hashable, Sendable, Codable {
  /// How the log is.
  package let state: AuditState

  /// The last records, a line of JSON each, oldest first.
  package let lines: [String]

  /// Creates an excerpt.
  package init(state: AuditState, lines: [String] = []) {
    self.state = state
    self.lines = lines
  }
}
