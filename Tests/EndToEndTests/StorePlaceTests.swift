// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// Where patches are kept, how many of them start, and which version.
@Suite struct StorePlaceTests {
  let stage: StoredStage

  init() throws {
    stage = try StoredStage()
  }

  private func configure(_ text: String) throws {
    try stage.put(text + "\n", at: "configuration/crashd.conf")
  }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(stage.path)/\(name)")
  }

  @Test func `the configuration says where patches are kept, before the environment`() throws {
    try configure("store = \(stage.path)/elsewhere")
    try stage.writeName("kept")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    #expect(exists("elsewhere/crashd/state") && !exists("state"))
    try stage.kill(daemon)
    // The tool finds it there too.
    let shown = try stage.waxwing("store", "--program", "crashd").standardOutput
    #expect(shown.contains("\(stage.path)/elsewhere/crashd") && shown.contains("kept: name"))
    try stage.expect(try stage.start(), name: "kept")
  }

  @Test func `without a place for a log it is beside what is kept`() throws {
    guard geteuid() != 0 else { return }
    try configure("store = \(stage.path)/elsewhere")
    let daemon = try stage.start([], ["WAXWING_LOG_DIR": ""])
    #expect(exists("elsewhere/crashd/crashd.audit"))
    try stage.kill(daemon)
  }

  @Test func `kept patches do not start while the configuration does not hold`() throws {
    try configure("store = \(stage.path)/elsewhere")
    try stage.writeName("kept")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.kill(daemon)

    try configure("store = \(stage.path)/elsewhere\nprotcet crashd.*")
    let broken = try stage.start()
    try expectEqual(broken.waitForLine(startingWith: "value "), "value 7 name plain")
    let boot = try stage.waxwing("boot").standardOutput
    #expect(boot.contains("kept: name") && boot.contains("crashd.conf has mistakes"), "\(boot)")
    let record = try stage.record("boot.disabled")
    #expect((record["reason"] as? String)?.contains("has mistakes") == true)
    try expectEqual(stage.waxwing("store", "--program", "crashd").status, .exited(4))
    // It can be taken back meanwhile.
    try expectSuccess(stage.waxwing("restore"))
    try stage.kill(broken)
    try configure("store = \(stage.path)/elsewhere")
    try stage.expect(try stage.start(), name: "plain")
  }

  @Test(arguments: [false, true])
  func `a store whose folder is removed while the program runs is begun anew`(moves: Bool) throws {
    try stage.writeName("one", version: 1)
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    if moves {
      expectEqual(rename(stage.store, stage.store + ".old"), 0)
    } else {
      try FileManager.default.removeItem(atPath: stage.store)
    }
    // Nothing is kept, and that is what is shown.
    try expectEqual(stage.waxwing("boot").standardOutput, "nothing is kept\n")
    try stage.expect(daemon, logs: "was removed or replaced while the program runs")
    try stage.writeName("two", version: 2)
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    #expect(exists("state/crashd/state") && exists("state/crashd/breadcrumbs"))
    try stage.kill(daemon, SIGKILL)
    let again = try stage.start()
    try stage.expect(again, name: "two")
    try FileManager.default.removeItem(atPath: stage.store)
    try expectSuccess(stage.waxwing("restore"))
    try stage.kill(again)
  }

  @Test func `a patched function that is called before the kept patches start is the original`()
    throws
  {
    try stage.writeName("kept")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.kill(daemon)
    let again = try stage.daemon().start()
    try expectEqual(again.waitForLine(startingWith: "before "), "before name plain")
    try expectEqual(again.waitForLine(startingWith: "value "), "value 7 name kept")
    try stage.kill(again)
  }

  @Test func `no more patches start than the host allows, and it says which did not`() throws {
    try stage.writeName("one", to: "one")
    try stage.write("function Probe:value(n) return 8 end", to: "two")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "one.lua", "two.lua", "--keep"))
    try stage.kill(daemon)

    try configure("limits.boot-patches = 1")
    let limited = try stage.start()
    try expectEqual(limited.waitForLine(startingWith: "value "), "value 7 name one")
    let status = try stage.waxwing("status")
    expectEqual(status.status, .exited(10))
    expectContains(
      status.standardOutput, "1 patches are started, and `limits.boot-patches` allows no more")
    try stage.expect(limited, logs: "boot.skip: two is not started")
    #expect(try stage.record("boot.skip")["verdict"] as? String == "skipped")
    let metrics = try stage.waxwing("metrics").standardOutput
    for line in ["patches_kept 2", "patches_set_aside 1", "boot_attempts 2", "store_troubles 0"] {
      expectContains(metrics, "\nwaxwing_\(line)\n")
    }
    // Nor are more kept.
    try stage.write("function Probe:fate() return 0 end", to: "three")
    let refused = try stage.waxwing("apply", "three.lua", "--keep")
    expectContains(refused.standardError, "more than 1 patches would be kept")
    try stage.kill(limited)

    try configure("limits.boot-patches = allow 0")
    let free = try stage.start()
    try expectEqual(free.waitForLine(startingWith: "value "), "value 8 name one")
    try stage.kill(free)
  }

  @Test func `once starting patches has taken its time no further one is begun`() throws {
    try stage.write(
      "local n = 0\nfor i = 1, 1000000 do n = n + i end\nfunction Probe:name() return 'slow' end",
      to: "slow")
    try stage.write("function Probe:value(n) return 8 end", to: "two")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "slow.lua", "two.lua", "--keep"))
    try stage.kill(daemon)
    try configure("limits.boot-milliseconds = 1")
    let limited = try stage.start()
    try expectEqual(limited.waitForLine(startingWith: "value "), "value 7 name slow")
    let boot = try stage.waxwing("boot").standardOutput
    expectContains(boot, "kept: two")
    expectContains(boot, "`limits.boot-milliseconds` allows 1")
    try stage.kill(limited)
    try configure("limits.boot-milliseconds = allow 0")
    let free = try stage.start()
    try expectEqual(free.waitForLine(startingWith: "value "), "value 8 name slow")
    try stage.kill(free)
  }

  @Test func `in the place of a quarantined version the last good one is started`() throws {
    try stage.write("function Probe:name() return 'good' end", to: "name")
    var daemon = try stage.start(["--healthy-after", "0.1"])
    let before = try stage.records().count
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    _ = try stage.record("boot.healthy", after: before)
    try stage.write(
      "function Probe:name() return 'bad' end\n"
        + "function Probe:value(n) return self:ORIGvalue(-1) end", to: "name", version: 2)
    _ = try stage.waxwing("apply", "name.lua", "--keep")
    try daemon.waitForExit()
    #expect(try stage.startAndDie() != .exited(0))

    daemon = try stage.start()
    try stage.expect(daemon, name: "good")
    try stage.expect(daemon, logs: "boot.fallback")
    #expect(try stage.record("boot.fallback")["verdict"] as? String == "done")
    let boot = try stage.waxwing("boot").standardOutput
    #expect(boot.contains("kept: name") && boot.contains("quarantined: name"), "\(boot)")
    // Retrying takes the newer one's place back, at the next start.
    try expectSuccess(stage.waxwing("boot", "retry"))
    try stage.kill(daemon)
    #expect(try stage.startAndDie() != .exited(0))
    #expect(try stage.startAndDie() != .exited(0))
    daemon = try stage.start()
    try stage.expect(daemon, name: "good")
    try expectSuccess(stage.waxwing("boot", "drop"))
    try expectEqual(stage.waxwing("status").status, .exited(9))
    try stage.kill(daemon)
  }

  @Test func `a version with which the program has not stayed up is no fallback`() throws {
    try stage.writeName("young")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.writeCrash(to: "name")
    _ = try stage.waxwing("apply", "name.lua", "--keep", "--any-version")
    try daemon.waitForExit()
    #expect(try stage.startAndDie() != .exited(0))
    try stage.expect(try stage.start(), name: "plain")
  }

  @Test func `a run with a switched off override is not one that stays up`() throws {
    try stage.write("function Probe:name() error('always') end", to: "name")
    let daemon = try stage.start(["--healthy-after", "0.2"])
    try expectSuccess(stage.waxwing("apply", "name.lua"))
    try stage.expect(daemon, logs: "override.switched_off")
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.expect(daemon, logs: "boot.unhealthy")
    try expectContains(stage.waxwing("boot", "--json").standardOutput, #""isHealthy" : false"#)
    try expectSuccess(stage.waxwing("revert", "name"))
    _ = try stage.record("boot.healthy")
    try stage.kill(daemon)
  }
}
