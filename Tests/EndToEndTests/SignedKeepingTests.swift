// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingTestSupport

/// What a daemon that demands signatures knows and checks after a restart.
@Suite struct SignedKeepingTests {
  let stage: SignedStage

  init() throws {
    stage = try SignedStage()
  }

  @Test func `a restart does not forget the highest serial number`() throws {
    try stage.sign(serial: 5, to: "newer.lua")
    try stage.sign(serial: 4, to: "older.lua")
    let first = try stage.start()
    let applied = try stage.waxwing("apply", "newer.lua")
    #expect(applied.isSuccess, "\(applied)")
    try stage.stop(first)
    let second = try stage.start()
    #expect(try stage.waxwing("list").standardOutput.contains("is at baseline"))
    let refused = try stage.waxwing("apply", "older.lua")
    #expect(refused.status == .exited(3), "\(refused)")
    #expect(refused.standardError.contains("5"), "\(refused)")
    #expect(try stage.waxwing("apply", "newer.lua").isSuccess)
    try stage.stop(second)
  }

  @Test func `a kept patch is verified at each start, and not started once its key is revoked`()
    throws
  {
    try stage.sign(serial: 1, to: "fees.lua")
    let first = try stage.start()
    let applied = try stage.waxwing("apply", "fees.lua", "--keep")
    #expect(applied.isSuccess, "\(applied)")
    try stage.stop(first)
    let second = try stage.start()
    let listed = try stage.waxwing("list").standardOutput
    #expect(listed.contains("active, kept") && listed.contains("key@ops"), "\(listed)")
    try stage.stop(second)

    try stage.bash("cp key.pub revoked_signers")
    let third = try stage.start()
    #expect(try stage.waxwing("list").standardOutput.contains("is at baseline"))
    let status = try stage.waxwing("boot").standardOutput
    #expect(status.contains("revoked"), "\(status)")
    #expect(try stage.waxwing("restore").isSuccess)
    try stage.stop(third)
  }
}
