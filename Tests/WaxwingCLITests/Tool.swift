// SPDX-License-Identifier: MIT

import Foundation
import WaxwingTestSupport

/// Runs the built `waxwing` as a process, with a socket folder of its own.
struct Tool {
  /// What a run left behind, whole.
  struct Result: Equatable, CustomStringConvertible {
    var exitCode: Int32
    var output = ""
    var errors = ""

    var description: String { "exit \(exitCode)\n--- output\n\(output)--- errors\n\(errors)---" }
  }

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The tool is built beside the test bundle, which is the running program.
  static let path: String = {
    let program =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: program).deletingLastPathComponent().path + "/waxwing"
  }()

  /// Runs the tool to its end; one that hangs is killed, and that is an error.
  func run(_ arguments: String..., through launcher: [String] = []) throws -> Result {
    try run(list: arguments, through: launcher)
  }

  func run(list arguments: [String], through launcher: [String] = []) throws -> Result {
    let environment = ["WAXWING_SOCKET_DIR=\(folder.path)/s", "PATH=/usr/bin:/bin"]
    let result = try Command(
      "/usr/bin/env", ["-i"] + environment + launcher + [Self.path] + arguments,
      directory: folder.path
    ).run()
    let exitCode =
      switch result.status {
      case .exited(let code): code
      case .signalled(let signal): signal
      }
    return Result(
      exitCode: exitCode, output: result.standardOutput, errors: result.standardError)
  }
}
