// SPDX-License-Identifier: MIT

import Expectations
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
    expectSuccess(applied)
    try stage.stop(first)
    let second = try stage.start()
    try expectContains(stage.waxwing("list").standardOutput, "is at baseline")
    let refused = try stage.waxwing("apply", "older.lua")
    #expect(refused.status == .exited(3), "\(refused)")
    expectContains(refused.standardError, "5")
    try expectSuccess(stage.waxwing("apply", "newer.lua"))
    try stage.stop(second)
  }

  @Test func `a patch on trial refuses older ones when it stays, and not before`() throws {
    for (serial, name) in [(4, "older"), (5, "newer"), (6, "newest")] {
      try stage.sign(serial: serial, to: "\(name).lua")
    }
    func expectRefused(_ name: String, below serial: Int) throws {
      let refused = try stage.waxwing("apply", name)
      #expect(refused.status == .exited(3), "\(refused)")
      expectContains(refused.standardError, "is below \(serial)")
    }
    let first = try stage.start()
    try expectSuccess(stage.waxwing("apply", "newer.lua", "--trial", "1m"))
    try expectSuccess(stage.waxwing("restore"))
    try expectSuccess(stage.waxwing("apply", "older.lua"))
    try expectSuccess(stage.waxwing("restore"))

    try expectSuccess(stage.waxwing("apply", "newer.lua", "--trial", "1m"))
    try expectSuccess(stage.waxwing("confirm"))
    try expectRefused("older.lua", below: 5)
    let patches = try stage.record("confirm")["patches"] as? [[String: Any]]
    #expect((patches?.first?["floor"] as? [String: Any])?["serial"] as? Int == 5)

    // Kept without a confirmation.
    try expectSuccess(stage.waxwing("apply", "newest.lua", "--trial", "1m"))
    try expectSuccess(stage.waxwing("apply", "newest.lua", "--keep"))
    try stage.stop(first)
    let second = try stage.start()
    try expectRefused("newer.lua", below: 6)
    try stage.stop(second)
  }

  @Test func `a kept patch is verified at each start, and not started once its key is revoked`()
    throws
  {
    try stage.sign(serial: 1, to: "fees.lua")
    let first = try stage.start()
    let applied = try stage.waxwing("apply", "fees.lua", "--keep")
    expectSuccess(applied)
    try stage.stop(first)
    let second = try stage.start()
    let listed = try stage.waxwing("list").standardOutput
    #expect(listed.contains("active, kept") && listed.contains("key@ops"), "\(listed)")
    try stage.stop(second)

    try stage.bash("cp key.pub revoked_signers")
    let third = try stage.start()
    try expectContains(stage.waxwing("list").standardOutput, "is at baseline")
    let status = try stage.waxwing("boot").standardOutput
    expectContains(status, "revoked")
    try expectSuccess(stage.waxwing("restore"))
    try stage.stop(third)
  }
}
