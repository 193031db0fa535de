// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// The store of a real daemon on a disk that fails, and a daemon that is killed while it writes.
@Suite struct BrokenDiskTests {
  let stage: StoredStage
  let shim: FaultShim

  init() throws {
    stage = try StoredStage()
    shim = try FaultShim(in: stage.path)
  }

  /// The version that is live, by the daemon's own words.
  private func version(_ daemon: RunningProcess) throws -> Int {
    let list = try stage.waxwing("list").standardOutput
    let row = try #require(list.split(separator: "\n").first { $0.hasPrefix("name ") }, "\(list)")
    return try #require(Int(row.split(separator: " ")[1]))
  }

  /// Two patches that belong together.
  private func writePair(_ version: Int) throws {
    try stage.writeName("v\(version)", to: "name", version: version)
    try stage.write("function Probe:value(n) return \(version) end", to: "value", version: version)
  }

  @Test func `a daemon that is killed at any step of an apply starts with the old or the new`()
    throws
  {
    try writePair(1)
    var daemon = try stage.start(["--healthy"], shim.environment)
    try expectSuccess(stage.waxwing("apply", "name.lua", "value.lua", "--keep"))
    var live = 1
    var deaths = 0
    for step in 1...80 {
      try writePair(step + 1)
      try shim.happen(.kill(at: step))
      let result = try stage.waxwing("apply", "name.lua", "value.lua", "--keep")
      try shim.happen(nil)
      if result.isSuccess { break }
      deaths += 1
      try expectEqual(daemon.waitForExit(), .signalled(SIGKILL))
      daemon = try stage.start(["--healthy"], shim.environment)
      let found = try version(daemon)
      #expect(found == live || found == step + 1, "step \(step)")
      // Both patches are of one version.
      try expectEqual(daemon.waitForLine(startingWith: "value "), "value \(found) name v\(found)")
      #expect(!(try stage.waxwing("boot").standardOutput.contains("damaged")))
      // What goes live by the start is on record as such.
      let load = try stage.record("boot.load")
      let loaded = (load["patches"] as? [[String: Any]])?.compactMap { $0["version"] as? Int }
      expectEqual(loaded, [found, found])
      live = found
    }
    #expect((20..<80).contains(deaths), "\(deaths)")
    try stage.kill(daemon)
  }

  @Test(arguments: [EIO, ENOSPC])
  func `a call that fails refuses the apply, and the program is as it was`(number: Int32)
    throws
  {
    try stage.writeName("v1", version: 1)
    let daemon = try stage.start(["--healthy"], shim.environment)
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    var live = 1
    var failures = 0
    for step in 1...24 {
      try stage.writeName("v\(step + 1)", version: step + 1)
      try shim.happen(.fail(number, at: step))
      let result = try stage.waxwing("apply", "name.lua", "--keep")
      try shim.happen(nil)
      if result.isSuccess {
        live = step + 1
      } else {
        failures += 1
        // The audit log is on the same disk.
        let reasons = ["the store cannot", "nothing is applied without an audit record"]
        #expect(reasons.contains { result.standardError.contains($0) }, "\(result)")
        expectContains(result.standardError, "hint")
      }
      try expectEqual(version(daemon), live)
    }
    #expect(failures >= 10, "\(failures)")
    try stage.kill(daemon)
    let again = try stage.start()
    try expectEqual(version(again), live)
    try stage.kill(again)
  }

  @Test func `restore works on a broken disk, and says that the store has not changed`() throws {
    try stage.writeName("kept")
    let daemon = try stage.start(["--healthy"], shim.environment)
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.expect(daemon, name: "kept")
    try shim.happen(.failAll(ENOSPC))
    let result = try stage.waxwing("restore")
    expectEqual(result.status, .exited(6))
    #expect(result.standardOutput.hasPrefix("restored baseline: 1 patch ended"))
    expectContains(result.standardError, "restored in memory; store not updated: the store cannot")
    try stage.expect(daemon, name: "plain")
    // And again, once there is room.
    try shim.happen(nil)
    try expectSuccess(stage.waxwing("restore"))
    try stage.kill(daemon)
    try stage.expect(try stage.start(), name: "plain")
  }

  @Test func `a daemon that starts on a full disk has its kept patches, and its guard`() throws {
    try stage.writeName("kept")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.kill(daemon)
    // The record is overwritten in place: that takes no room. All else fails.
    try stage.expect(try stage.start(), name: "kept")
    let boot = try Data(contentsOf: URL(fileURLWithPath: "\(stage.store)/boot"))
    expectEqual(boot.count, 512)
  }

  @Test func `a daemon that cannot write its record starts without patches, and says so`() throws {
    try stage.writeName("kept")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.kill(daemon)
    try shim.happen(.failAll(EIO))
    let again = try stage.start([], shim.environment)
    try expectEqual(again.waitForLine(startingWith: "value "), "value 7 name plain")
    let status = try stage.waxwing("status")
    expectEqual(status.status, .exited(10))
    expectContains(status.standardOutput, "the boot record cannot be written")
    try stage.kill(again)
  }

  private static let canMount: Bool = {
    guard geteuid() == 0 else { return false }
    let probe = try? Command("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).run()
    return probe?.isSuccess ?? false
  }()

  @Test(.enabled(if: canMount, "a file system of its own needs root; other tests inject the error"))
  func `a file system that is full refuses the apply, and keeps what it has`() throws {
    try FileManager.default.createDirectory(
      atPath: "\(stage.path)/state", withIntermediateDirectories: false)
    let crashd = try BuiltProduct("crashd").path
    let daemon = try Command(
      "unshare",
      [
        "-m", "sh", "-c",
        "mount -t tmpfs -o size=64k,mode=700 tmpfs \(stage.path)/state && exec \(crashd)",
      ], environment: stage.environment
    ).start()
    _ = try daemon.waitForLine(startingWith: "value ")
    try stage.writeName("small")
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.write(
      "function Probe:name() return 'large' end\n" + String(repeating: "-- filler\n", count: 9000),
      to: "large")
    let result = try stage.waxwing("apply", "large.lua", "--keep")
    #expect(result.status == .exited(1), "\(result)")
    expectContains(result.standardError, "store full: the store cannot write")
    try stage.expect(daemon, name: "small")
    try expectSuccess(stage.waxwing("restore"))
    try stage.expect(daemon, name: "plain")
    try stage.kill(daemon)
  }
}
