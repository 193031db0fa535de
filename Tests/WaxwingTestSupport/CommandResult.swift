// SPDX-License-Identifier: MIT

/// What a command left behind.
package struct CommandResult: Equatable, Sendable {
  package let status: ExitStatus
  package let standardOutput: String
  package let standardError: String

  package init(status: ExitStatus, standardOutput: String, standardError: String) {
    self.status = status
    self.standardOutput = standardOutput
    self.standardError = standardError
  }

  /// Whether the command exited with code 0.
  package var isSuccess: Bool { status == .exited(0) }
}
