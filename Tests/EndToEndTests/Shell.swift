// SPDX-License-Identifier: MIT

import WaxwingTestSupport

/// A folder in which `waxwing` is run, without a daemon.
final class Shell {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  var path: String { directory.path }

  func waxwing(_ arguments: [String]) throws -> CommandResult {
    try Command(
      try BuiltProduct("waxwing").path, arguments, environment: ["WAXWING_SOCKET_DIR": path],
      directory: path
    ).run()
  }
}
