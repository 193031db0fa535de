// SPDX-License-Identifier: MIT

/// A program with its arguments, ready to be started any number of times.
package struct Command: Sendable {
  /// The path of the executable; a bare name is looked up in `PATH`.
  package var executable: String
  package var arguments: [String]
  /// Added to this process's own environment.
  package var environment: [String: String]
  /// Where it is started; nil for this process's own place.
  package var directory: String?

  package init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:],
    directory: String? = nil
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.directory = directory
  }

  /// Starts the command in a process group of its own, with nothing on standard input.
  package func start() throws -> RunningProcess {
    try RunningProcess(self)
  }

  /// Runs the command to its end.
  ///
  /// - Throws: `TestSupportError` if it has not ended after `timeout`; it is killed then.
  package func run(timeout: Duration = .seconds(60)) throws -> CommandResult {
    let process = try start()
    let status = try process.waitForExit(timeout: timeout)
    return CommandResult(
      status: status, standardOutput: process.standardOutput,
      standardError: process.standardError)
  }
}
