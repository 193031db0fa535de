// SPDX-License-Identifier: MIT

/// The outcome of reading a configuration file again.
package struct ReloadReport: Hashable, Sendable, Codable {
  /// The file; nil: there is none.
  package let path: String?

  /// Keys that have changed and count from the program's next start on.
  package let postponed: [String]

  /// Warnings for the operator, one sentence each: rules that mean nothing, live patches that the
  /// rules would refuse now.
  package var warnings: [String]

  /// Creates a report.
  package init(path: String?, postponed: [String] = [], warnings: [String] = []) {
    self.path = path
    self.postponed = postponed
    self.warnings = warnings
  }
}
