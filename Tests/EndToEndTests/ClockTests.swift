// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// A daemon whose clock is wrong.
@Suite struct ClockTests {
  let stage: SignedStage
  let shim: ClockShim

  init() throws {
    stage = try SignedStage()
    shim = try ClockShim(in: stage.path)
  }

  private static let hour = 3600
  private static let year = 365 * 86_400

  private func moment(in seconds: Int) -> String {
    let formatter = ISO8601DateFormatter()
    return formatter.string(from: Date(timeIntervalSinceNow: Double(seconds)))
  }

  private func expectKept(
    _ process: RunningProcess, isLive: Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let boot = try stage.waxwing("boot").standardOutput
    #expect(boot.contains("kept: fees"), "\(boot)", sourceLocation: sourceLocation)
    #expect(boot.contains("expired") == !isLive, "\(boot)", sourceLocation: sourceLocation)
  }

  @Test func `a clock that is set back brings back nothing that has expired, over a restart`()
    throws
  {
    let expires = "expires = \"\(moment(in: 24 * Self.hour))\""
    try stage.sign(serial: 1, to: "fees.lua", by: "key", expires)
    var daemon = try stage.start(shim.environment)
    let applied = try stage.waxwing("apply", "fees.lua", "--keep")
    expectSuccess(applied)
    try stage.stop(daemon)

    // Two days later it has expired, and another patch is applied.
    try shim.shift(48 * Self.hour)
    daemon = try stage.start(shim.environment)
    try expectKept(daemon, isLive: false)
    try stage.sign(serial: 2, to: "other.lua")
    try expectSuccess(stage.waxwing("apply", "other.lua"))
    try stage.stop(daemon)

    // A machine whose clock starts in 1970, and one whose clock was set back by two days.
    for seconds in [-Int(Date().timeIntervalSince1970), 0] {
      try shim.shift(seconds)
      daemon = try stage.start(shim.environment)
      try expectKept(daemon, isLive: false)
      let refused = try stage.waxwing("apply", "fees.lua")
      expectContains(refused.standardError, "the patch expired")
      try stage.stop(daemon)
    }
  }

  @Test func `a leap of more than ten years is not believed, a shorter one is`() throws {
    let expires = "expires = \"\(moment(in: Self.year))\""
    try stage.sign(serial: 1, to: "fees.lua", by: "key", expires)
    var daemon = try stage.start(shim.environment)
    try expectSuccess(stage.waxwing("apply", "fees.lua", "--keep"))
    try stage.stop(daemon)
    try shim.shift(11 * Self.year)
    daemon = try stage.start(shim.environment)
    try expectKept(daemon, isLive: true)
    try stage.stop(daemon)
    try shim.shift(9 * Self.year)
    daemon = try stage.start(shim.environment)
    try expectKept(daemon, isLive: false)
    try stage.stop(daemon)
    // Nobody has confirmed it by applying anything: the clock is put right, and all is well.
    try shim.shift(0)
    daemon = try stage.start(shim.environment)
    try expectKept(daemon, isLive: true)
    try stage.stop(daemon)
  }

  @Test(arguments: [-2 * 86_400, 2 * 86_400])
  func `a clock that is set while patches run changes neither trials nor limits`(seconds: Int)
    throws
  {
    try stage.sign(serial: 1, to: "fees.lua")
    let daemon = try stage.start(shim.environment)
    try expectSuccess(stage.waxwing("apply", "fees.lua", "--trial", "1h"))
    try shim.shift(seconds)
    // Not ended by the leap, and a call is within its time.
    try expectContains(stage.waxwing("list").standardOutput, "active, trial")
    try expectSuccess(stage.waxwing("confirm"))
    try stage.sign(serial: 2, to: "other.lua")
    try expectSuccess(stage.waxwing("apply", "other.lua", "--trial", "2s"))
    try shim.shift(-seconds)
    let ended = try stage.record("trial.ended")
    #expect((ended["patches"] as? [[String: Any]])?.first?["name"] as? String == "other")
    try expectContains(stage.waxwing("list").standardOutput, "fees")
    try stage.stop(daemon)
  }
}
