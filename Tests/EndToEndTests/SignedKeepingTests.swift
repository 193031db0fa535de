// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingTestSupport

/// What a daemon that demands signatures knows and checks after a restart.
@Suite struct SignedKeepingTests {
  let stage: StoredStage

  init() throws {
    stage = try StoredStage()
    try bash("ssh-keygen -q -t ed25519 -N '' -C '' -f key")
    try bash("echo \"alice@ops $(cat key.pub)\" > allowed_signers")
  }

  private func bash(_ line: String) throws {
    let result = try Command("/bin/bash", ["-c", line], directory: stage.path).run()
    #expect(result.isSuccess, "\(line): \(result)")
  }

  private func start() throws -> RunningProcess {
    let process = try Bankd.command(
      [
        "--port", "0", "--signed", "--signers", "\(stage.path)/allowed_signers", "--revoked",
        "\(stage.path)/revoked_signers",
      ], socketDirectory: stage.path
    ).start()
    _ = try process.waitForLine(startingWith: "bankd listening")
    return process
  }

  private func sign(serial: Int, to name: String) throws {
    try stage.put(
      """
      patch { name = "fees", program = "bankd", serial = \(serial) }
      local F = class "bankd.FeeSchedule"
      function F:fee(amount) return \(serial) end
      """, at: name)
    try bash("ssh-keygen -q -Y sign -n waxwing-patch -f key < \(name) > \(name).sig")
  }

  @Test func `F13, 7.5 a restart does not forget the highest serial number`() throws {
    try sign(serial: 5, to: "newer.lua")
    try sign(serial: 4, to: "older.lua")
    let first = try start()
    let applied = try stage.waxwing("apply", "newer.lua")
    #expect(applied.isSuccess, "\(applied)")
    try stage.kill(first)
    let second = try start()
    #expect(try stage.waxwing("list").standardOutput.contains("is at baseline"))
    let refused = try stage.waxwing("apply", "older.lua")
    #expect(refused.status == .exited(3), "\(refused)")
    #expect(refused.standardError.contains("5"), "\(refused)")
    #expect(try stage.waxwing("apply", "newer.lua").isSuccess)
    try stage.kill(second)
  }

  @Test func `7.3 a kept patch is verified at each start, and not started once its key is revoked`()
    throws
  {
    try sign(serial: 1, to: "fees.lua")
    let first = try start()
    let applied = try stage.waxwing("apply", "fees.lua", "--keep")
    #expect(applied.isSuccess, "\(applied)")
    try stage.kill(first)
    let second = try start()
    let listed = try stage.waxwing("list").standardOutput
    #expect(listed.contains("active, kept") && listed.contains("alice@ops"), "\(listed)")
    try stage.kill(second)

    try bash("cp key.pub revoked_signers")
    let third = try start()
    #expect(try stage.waxwing("list").standardOutput.contains("is at baseline"))
    let status = try stage.waxwing("boot").standardOutput
    #expect(status.contains("revoked"), "\(status)")
    #expect(try stage.waxwing("restore").isSuccess)
    try stage.kill(third)
  }
}
