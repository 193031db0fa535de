// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingTestSupport

/// A bankd, and a `waxwing` that finds this daemon and no other, in a folder of their own.
///
/// What they say is compared as a transcript. Process ids, times and the folder's name are different
/// each time and stand there as `PID`, `TIME` and `FOLDER`. That the daemon takes patches without
/// signatures is said with each of them, and left out here; SigningTests has it.
final class Stage {
  let bankd: Bankd

  /// - Parameters:
  ///   - isSigned: Whether the daemon takes signed patches only.
  ///   - environment: Added to the daemon's environment.
  init(isSigned: Bool = false, environment: [String: String] = [:]) throws {
    bankd = try Bankd(isSigned: isSigned, environment: environment)
  }

  var folder: String { bankd.directory.path }
  var socket: String { "\(folder)/bankd.sock" }

  /// Writes a patch, or a file of one, into the folder.
  func write(_ text: String, to name: String) throws {
    let file = URL(fileURLWithPath: "\(folder)/\(name)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Plays a transcript: types the lines that are not indented, and expects what stands below each.
  func plays(_ transcript: String, at location: SourceLocation = #_sourceLocation) throws {
    let commands = transcript.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    let played = try self.transcript(commands.joined(separator: "\n"))
    #expect(played == transcript, sourceLocation: location)
  }

  /// Types commands, a line each: `waxwing …`, or a request as `METHOD PATH BODY`.
  ///
  /// - Returns: The commands, each with what came of it.
  func transcript(_ commands: String) throws -> String {
    try commands.split(separator: "\n").map { try run(String($0)) }.joined(separator: "\n")
  }

  private func run(_ line: String) throws -> String {
    let command = line.replacing("FOLDER", with: folder)
    let words = command.split(separator: " ", maxSplits: 2).map(String.init)
    if words[0] == "waxwing" {
      let arguments = command.split(separator: " ").dropFirst().map(String.init)
      return "\(line)\n\(try waxwing(arguments))"
    }
    let answer = try bankd.ask(words[0], words[1], words.count > 2 ? words[2] : nil)
    return "\(line)\n  \(masked(answer))"
  }

  /// Runs the tool.
  ///
  /// - Returns: What it printed, indented, results before errors, and its exit code if that is not 0.
  func waxwing(_ arguments: [String]) throws -> String {
    let result = try tool(arguments).run()
    var text = result.standardOutput + result.standardError
    if !result.isSuccess { text += "\(result.status)\n" }
    text = text.replacing(#/waxwing: warning: \S+: INSECURE: .*\n/#, with: "")
    return masked(text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
  }

  /// The tool, to be started in the folder.
  func tool(_ arguments: [String]) throws -> Command {
    Command(
      try BuiltProduct("waxwing").path, arguments, environment: ["WAXWING_SOCKET_DIR": folder],
      directory: folder)
  }

  /// What the daemon has logged so far.
  var log: String {
    masked(
      Bankd.untimed(bankd.process.standardError).replacing(Bankd.insecureLine, with: "")
        .replacing(" signer=none security=INSECURE", with: ""))
  }

  private func masked(_ text: String) -> String {
    text.replacing(folder, with: "FOLDER")
      .replacing("pid \(bankd.process.pid)", with: "pid PID")
      .replacing("process \(bankd.process.pid)", with: "process PID")
      .replacing(#""pid":\#(bankd.process.pid)"#, with: #""pid":PID"#)
      .replacing(#/current: [0-9a-f]{8}-\d+/#, with: "current: ID")
      .replacing(#/"requests":\d+/#, with: #""requests":REQUESTS"#)
      .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#, with: "TIME")
      .replacing(#/thread \d+/#, with: "thread THREAD")
      .replacing(#/for [\d.]+ s$/#.anchorsMatchLineEndings(), with: "for S s")
      .replacing(#/: \S*\/bankd at 0x[0-9a-f]+/#, with: ": bankd at ADDRESS")
      .replacing(#/build: [0-9a-f]+/#, with: "build: BUILD")
  }
}
