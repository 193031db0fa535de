// SPDX-License-Identifier: MIT

import Expectations
import Testing
import WaxwingTestSupport

extension RunningProcess {
  /// Waits until a command that watches a daemon says that it has begun, or has ended.
  func waitUntilItWatches(sourceLocation: SourceLocation = #_sourceLocation) {
    waitUntil(
      "the command watches", seen: standardOutput + standardError, sourceLocation: sourceLocation
    ) { standardError.contains("Ctrl-C ends it") || !isRunning }
  }
}

extension Stage {
  /// Starts a command that watches the daemon, and returns once it does. With `--json` the command does not say so, but
  /// the daemon lists one patch more.
  func watch(
    _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RunningProcess {
    let before = try waxwing(["list"])
    let process = try tool(arguments).start()
    guard arguments.contains("--json") else {
      process.waitUntilItWatches(sourceLocation: sourceLocation)
      return process
    }
    try waitUntil(
      "the patch that watches", seen: (try waxwing(["list"]), process.standardError),
      sourceLocation: sourceLocation
    ) { try waxwing(["list"]) != before || !process.isRunning }
    return process
  }
}
