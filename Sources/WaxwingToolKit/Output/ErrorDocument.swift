// SPDX-License-Identifier: MIT

/// An error as `--json` has it.
struct ErrorDocument: Encodable {
  /// A stable word for the exit code: `refused`, `noDaemon`.
  let code: String
  let exitCode: Int32
  let message: String
  let details: [String]
  let remedy: String

  init(_ error: CommandError) {
    code = "\(error.exitCode)"
    exitCode = error.exitCode.rawValue
    message = error.message
    details = error.details
    remedy = error.remedy
  }
}

/// A warning as `--json` has it.
struct WarningDocument: Encodable {
  let message: String
  let details: [String]
}
