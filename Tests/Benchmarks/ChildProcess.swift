// SPDX-License-Identifier: MIT

import Foundation

/// Programs that are run beside this one.
enum ChildProcess {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs a program to its end.
  ///
  /// - Returns: What it has written to standard output.
  /// - Throws: `Failure` if it has failed.
  static func output(of program: String, _ arguments: [String] = [], input: String = "") throws
    -> String
  {
    let process = Process()
    let (standardInput, standardOutput) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    try process.run()
    // Shorter than what a pipe takes.
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    let data = standardOutput.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw Failure(description: "\(program) failed: \(process.terminationStatus)")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
