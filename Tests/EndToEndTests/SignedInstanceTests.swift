// SPDX-License-Identifier: MIT

import Expectations
import Testing
import WaxwingTestSupport

/// Serial numbers of signed patches where several processes of a program run.
@Suite struct SignedInstanceTests {
  @Test func `instances without a name have the serial numbers in common`() throws {
    let stage = try SignedStage()
    let first = try stage.start()
    let second = try stage.start()
    let names = ["bankd@\(first.pid)", "bankd@\(second.pid)"]
    try stage.sign(serial: 5, to: "fees.lua")
    let applied = try stage.waxwing("apply", "fees.lua", "--program", names[1])
    expectSuccess(applied)
    try stage.sign(serial: 4, to: "older.lua")
    for name in names {
      let refused = try stage.waxwing("apply", "older.lua", "--program", name)
      expectContains(refused.standardError, "is below 5")
    }
    try stage.sign(serial: 6, to: "fees.lua")
    try expectSuccess(stage.waxwing("apply", "fees.lua", "--keep", "--program", names[0]))
    try stage.sign(serial: 5, to: "older.lua")
    try expectContains(
      stage.waxwing("apply", "older.lua", "--program", names[1]).standardError, "is below 6")
    try stage.stop(second)
    // The next one starts with what the first keeps.
    let third = try stage.start()
    #expect(try stage.record("boot.load")["daemon_pid"] as? Int == Int(third.pid))
  }
}
