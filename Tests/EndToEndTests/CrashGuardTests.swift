// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// A patch that crashes the program does not crash it for ever.
@Suite struct CrashGuardTests {
  let stage: StoredStage

  init() throws {
    stage = try StoredStage()
  }

  /// A daemon that dies of what is kept now.
  private func keepWhatKills(_ patches: String...) throws {
    let daemon = try stage.start()
    _ = try Command(
      try BuiltProduct("waxwing").path, ["apply", "--keep"] + patches,
      environment: stage.environment, directory: stage.path
    ).run()
    try daemon.waitForExit()
  }

  @Test func `a patch in which the program dies twice is set aside, and the others stay`()
    throws
  {
    try stage.writeName("good", to: "good")
    try stage.writeCrash()
    try keepWhatKills("good.lua", "crash.lua")
    #expect(try stage.startAndDie() != .exited(0))

    let daemon = try stage.start()
    try stage.expect(daemon, name: "good")
    try stage.expect(daemon, logs: "the last run died in crash, strike 2 of 2")
    let boot = try stage.waxwing("boot").standardOutput
    #expect(boot.contains("quarantined: crash") && boot.contains("died in it 2 times"))
    expectContains(boot, "kept: good")
    try expectEqual(stage.waxwing("status").status, .exited(10))
    try stage.kill(daemon)

    // It stays so, until somebody says otherwise.
    let again = try stage.start()
    let retried = try stage.waxwing("boot", "retry").standardOutput
    expectContains(retried, "crash is started at the next start")
    try stage.kill(again)
    #expect(try stage.startAndDie() != .exited(0))
    #expect(try stage.startAndDie() != .exited(0))
    let third = try stage.start()
    try expectContains(stage.waxwing("boot", "drop").standardOutput, "crash is forgotten")
    try expectEqual(stage.waxwing("status").status, .exited(9))
    try stage.kill(third)
    try stage.expect(try stage.start(), name: "good")
  }

  @Test func `the same for the original of an async override, on whatever thread`() throws {
    try stage.write("function Probe:asyncValue(n) return self:ORIGasyncValue(-1) end", to: "crash")
    try keepWhatKills("crash.lua")
    #expect(try stage.startAndDie() != .exited(0))
    let daemon = try stage.start()
    try expectContains(stage.waxwing("boot").standardOutput, "quarantined: crash")
    try stage.kill(daemon)
  }

  @Test func `a patch that crashes while it loads is a suspect too`() throws {
    try stage.writeName("good", to: "good")
    let daemon = try stage.start()
    try stage.write("Probe():value(1)", to: "crash")
    try expectSuccess(stage.waxwing("apply", "good.lua", "crash.lua", "--keep"))
    try stage.kill(daemon)
    // Harmless when it was applied; not so with what was kept after it.
    try stage.write("function Probe:value(n) return self:ORIGvalue(-1) end", to: "later")
    try keepWhatKills("later.lua")
    #expect(try stage.startAndDie() != .exited(0))
    let again = try stage.start()
    try expectContains(stage.waxwing("boot").standardOutput, "quarantined: later")
    try stage.kill(again)
  }

  @Test(arguments: [1, 3])
  func `after three starts that do not stay up no kept patch is started`(fate: Int) throws {
    try stage.writeFate(fate)
    try keepWhatKills("fate.lua")
    #expect(try stage.startAndDie() != .exited(0))
    #expect(try stage.startAndDie() != .exited(0))
    let daemon = try stage.start()
    try stage.expect(daemon, logs: "boot.baseline")
    let boot = try stage.waxwing("boot").standardOutput
    #expect(boot.contains("BASELINE since") && boot.contains("set aside"))
    try stage.writeName("other")
    let refused = try stage.waxwing("apply", "name.lua", "--keep")
    #expect(refused.status == .exited(4) && refused.standardError.contains("waxwing boot drop"))
    try stage.kill(daemon)

    let again = try stage.start()
    try expectContains(stage.waxwing("boot").standardOutput, "BASELINE since")
    try expectContains(stage.waxwing("boot", "drop").standardOutput, "fate is forgotten")
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.kill(again)
    try stage.expect(try stage.start(), name: "other")
  }

  @Test func `a run that stays up is not a failed start, though nobody says that it is well`()
    throws
  {
    try stage.writeFate(2)
    let daemon = try stage.start(["--healthy-after", "0.1"])
    _ = try stage.waxwing("apply", "fate.lua", "--keep")
    try daemon.waitForExit()
    for _ in 0..<4 { #expect(try stage.startAndDie(["--healthy-after", "0.1"]) != .exited(0)) }
    let again = try stage.daemon(["--healthy-after", "0.1"]).start()
    _ = try again.waitForLine(startingWith: "crashd ready")
    try again.waitForExit()
    #expect(!again.standardError.contains("boot.baseline"))
    expectContains(again.standardError, "boot.load")
  }

  @Test func `an operator who restarts it again and again is no crash`() throws {
    try stage.writeName("kept")
    // However slow the machine is, no start has time to count as a good one.
    let arguments = ["--marks-stopping", "--healthy-after", "3600"]
    var daemon = try stage.start(arguments)
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    for _ in 0..<5 {
      try stage.kill(daemon, SIGTERM)
      daemon = try stage.start(arguments)
      try stage.expect(daemon, name: "kept")
    }
    let document = try stage.waxwing("boot", "--json").standardOutput
    expectContains(document, #""attempt" : 1"#)
    try stage.kill(daemon)
  }

  @Test func `a program that says that it is well is believed`() throws {
    try stage.writeName("kept")
    var daemon = try stage.start(["--healthy"])
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    for _ in 0..<5 {
      try stage.kill(daemon)
      daemon = try stage.start(["--healthy"])
      try stage.expect(daemon, name: "kept")
    }
    try stage.kill(daemon)
  }

  @Test func `kill switches: a variable, or a file for all programs or for this one`() throws {
    try stage.writeName("kept")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.kill(daemon)

    func expectDisabled(_ more: [String: String], _ reason: String) throws {
      let daemon = try stage.start([], more)
      try expectEqual(daemon.waitForLine(startingWith: "value "), "value 7 name plain")
      try stage.expect(daemon, logs: "boot.disabled")
      let boot = try stage.waxwing("boot").standardOutput
      #expect(boot.contains("kept patches are switched off") && boot.contains(reason))
      try stage.kill(daemon)
    }
    try expectDisabled(["WAXWING_DISABLE": "1"], "WAXWING_DISABLE is set")
    for file in ["configuration/disable", "configuration/disable.crashd"] {
      try stage.put("", at: file)
      try expectDisabled([:], file)
      expectEqual(unlink("\(stage.path)/\(file)"), 0)
    }
    try stage.expect(try stage.start(), name: "kept")
  }
}
