// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// A folder in which a bankd that demands signatures is started again and again, with keys to sign by.
final class SignedStage {
  private let stage: StoredStage
  var path: String { stage.path }

  init() throws {
    stage = try StoredStage()
    try makeKey("key")
  }

  func bash(_ line: String) throws {
    let result = try Command("/bin/bash", ["-c", line], directory: path).run()
    expectSuccess(result)
  }

  /// A key that the daemon knows.
  func makeKey(_ name: String) throws {
    try bash(
      "ssh-keygen -q -t ed25519 -N '' -C '' -f \(name) && "
        + "echo \"\(name)@ops $(cat \(name).pub)\" >> allowed_signers")
  }

  func start(_ more: [String: String] = [:]) throws -> RunningProcess {
    let arguments = [
      "--port", "0", "--signed", "--signers", "\(path)/allowed_signers", "--revoked",
      "\(path)/revoked_signers",
    ]
    let environment = stage.environment.merging(more) { _, new in new }
    let process = try Command(
      try BuiltProduct("bankd").path, arguments, environment: environment
    ).start()
    _ = try process.waitForLine(startingWith: "bankd listening")
    return process
  }

  /// Ends it in an orderly way: this is no crash.
  func stop(_ process: RunningProcess) throws { try stage.kill(process, SIGTERM) }

  @discardableResult
  func waxwing(_ arguments: String...) throws -> CommandResult {
    try Command(
      try BuiltProduct("waxwing").path, arguments, environment: stage.environment, directory: path
    ).run()
  }

  /// Writes a patch whose fee is its serial number, and signs it.
  /// - Parameter more: Further lines of the manifest's table.
  func sign(
    serial: Int, to name: String, by key: String = "key", _ more: String = ""
  ) throws {
    try stage.put(
      """
      patch { name = "\(name.prefix { $0 != "." })", program = "bankd", serial = \(serial), \(more) }
      local F = class "bankd.FeeSchedule"
      function F:fee(amount) return \(serial % 1000) end

      """, at: name)
    try bash("ssh-keygen -q -Y sign -n waxwing-patch -f \(key) < \(name) > \(name).sig")
  }

  func record(_ event: String) throws -> [String: Any] { try stage.record(event, "bankd") }
}
