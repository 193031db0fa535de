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

  /// Runs the tool to its end; one that hangs is killed and shows as such.
  func run(_ arguments: String..., through launcher: [String] = []) throws -> Result {
    try run(list: arguments, through: launcher)
  }

  func run(list arguments: [String], through launcher: [String] = []) throws -> Result {
    let process = Process()
    let words = launcher + [Self.path] + arguments
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = ["WAXWING_SOCKET_DIR": folder.path + "/s", "PATH": "/usr/bin:/bin"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let outputFile = try folder.write([], to: "out-\(UUID().uuidString)")
    let errorsFile = try folder.write([], to: "err-\(UUID().uuidString)")
    process.standardOutput = FileHandle(forWritingAtPath: outputFile)
    process.standardError = FileHandle(forWritingAtPath: errorsFile)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let watchdog = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watchdog)
    process.waitUntilExit()
    watchdog.cancel()
    return Result(
      exitCode: process.terminationStatus,
      output: try String(contentsOfFile: outputFile, encoding: .utf8),
      errors: try String(contentsOfFile: errorsFile, encoding: .utf8))
  }
}
