// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// A folder in which a daemon is started again and again, with the tool that talks to it.
final class StoredStage {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  var path: String { directory.path }
  var store: String { "\(path)/state/crashd" }

  /// The environment of the daemon and of the tool.
  var environment: [String: String] {
    [
      "WAXWING_SOCKET_DIR": path, "WAXWING_STATE_DIR": "\(path)/state",
      "WAXWING_CONFIG_DIR": "\(path)/configuration", "WAXWING_LOG_DIR": "\(path)/log",
    ]
  }

  /// crashd, not started.
  func daemon(_ arguments: [String] = [], _ more: [String: String] = [:]) throws -> Command {
    Command(
      try BuiltProduct("crashd").path, arguments,
      environment: environment.merging(more) { _, new in new })
  }

  /// Starts it and waits until it works.
  func start(_ arguments: [String] = [], _ more: [String: String] = [:]) throws -> RunningProcess {
    let process = try daemon(arguments, more).start()
    _ = try process.waitForLine(startingWith: "value ")
    return process
  }

  /// Starts it, lets it die, and waits for that. Without Swift's report of the crash, which takes seconds of the
  /// processor; tests that let a daemon die in another way have it.
  func startAndDie(_ arguments: [String] = []) throws -> WaxwingTestSupport.ExitStatus {
    try daemon(arguments, ["SWIFT_BACKTRACE": "enable=no"]).start()
      .waitForExit(timeout: .seconds(60))
  }

  func kill(_ process: RunningProcess, _ signal: Int32 = SIGKILL) throws {
    process.send(signal: signal)
    try process.waitForExit()
  }

  @discardableResult
  func waxwing(_ arguments: String...) throws -> CommandResult {
    try Command(
      try BuiltProduct("waxwing").path, arguments, environment: environment, directory: path
    ).run()
  }

  /// Writes a patch of crashd's class `Probe`.
  func write(_ body: String, to name: String, version: Int = 1) throws {
    try directory.write(
      """
      patch { version = \(version) }
      local Probe = class "crashd.Probe"
      \(body)

      """, to: "\(name).lua")
  }

  /// The records of the daemon's audit log, from a number on.
  func records(_ program: String = "crashd", after number: Int = 0) throws -> [[String: Any]] {
    let file = "\(path)/log/\(program).audit"
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
    return try text.split(separator: "\n").dropFirst(number).map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// Waits for a record of an event.
  func record(
    _ event: String, _ program: String = "crashd", after number: Int = 0
  ) throws -> [String: Any] {
    func found() throws -> [String: Any]? {
      try records(program, after: number).last { $0["event"] as? String == event }
    }
    func seen() throws -> [String] {
      try records(program, after: number).compactMap { $0["event"] as? String }
    }
    try waitUntil("'\(event)' in the audit log", seen: seen()) { try found() != nil }
    let record = try found()
    return try #require(record)
  }

  /// Puts a file of any kind into the folder.
  func put(_ text: String, at name: String) throws {
    let url = URL(fileURLWithPath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// The program dies in the override's original.
  func writeCrash(to name: String = "crash") throws {
    try write("function Probe:value(n) return self:ORIGvalue(-1) end", to: name)
  }

  /// The program dies outside of the patch, because of it.
  func writeFate(_ fate: Int, to name: String = "fate") throws {
    try write("function Probe:fate() return \(fate) end", to: name)
  }

  func writeName(_ text: String, to name: String = "name", version: Int = 1) throws {
    try write("function Probe:name() return \"\(text)\" end", to: name, version: version)
  }

  /// Waits until the daemon's log has it.
  func expect(
    _ process: RunningProcess, logs text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    waitUntil("'\(text)' in the log", seen: process.standardError, sourceLocation: sourceLocation) {
      process.standardError.contains(text)
    }
  }

  /// Waits until the daemon says so.
  func expect(
    _ process: RunningProcess, name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    waitUntil(
      "the name '\(name)'", seen: process.standardOutput + process.standardError,
      sourceLocation: sourceLocation
    ) {
      let last = process.standardOutput.split(separator: "\n").last { $0.hasPrefix("value ") }
      return last?.hasSuffix("name \(name)") == true
    }
  }
}
