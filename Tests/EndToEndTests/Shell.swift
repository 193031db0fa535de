// SPDX-License-Identifier: MIT

import WaxwingTestSupport

/// A folder in which `waxwing` is run, without a daemon.
final class Shell: Sendable {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  var path: String { directory.path }

  func waxwing(
    _ arguments: [String], timeout: Duration = .seconds(60)
  ) throws -> CommandResult {
    try tool(arguments).run(timeout: timeout)
  }

  /// The tool with these arguments, ready to be started here.
  func tool(_ arguments: [String]) throws -> Command {
    Command(
      try BuiltProduct("waxwing").path, arguments, environment: ["WAXWING_SOCKET_DIR": path],
      directory: path)
  }

  /// Defines `say`, which writes a line to a program at descriptor 3, and shows what it answers in the file `out`. `lines`
  /// counts those there.
  static let say = """
    say() {
      local before=$(lines)
      printf '%s\\n' "$1" >&3
      until (($(lines) > before)); do sleep 0.02; done
      tail -n 1 out
    }
    """

  /// Runs a line of shell script, in which `waxwing` is the tool. Many compile something, beside other tests.
  func bash(_ line: String) throws -> CommandResult {
    let tool = try BuiltProduct("waxwing").path
    let folder = tool.split(separator: "/").dropLast().joined(separator: "/")
    return try Command(
      "/bin/bash", ["-c", line],
      environment: ["WAXWING_SOCKET_DIR": path, "PATH": "/\(folder):/usr/bin:/bin"], directory: path
    ).run(timeout: .seconds(240))
  }
}
