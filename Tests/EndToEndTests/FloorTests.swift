// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// No older patch of a key comes back, whatever is lost of what the daemon keeps.
@Suite struct FloorTests {
  let stage: SignedStage

  init() throws {
    stage = try SignedStage()
  }

  private var state: String { "\(stage.path)/state" }

  private func expectFloor(_ floor: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try stage.sign(serial: floor - 1, to: "older.lua")
    let refused = try stage.waxwing("apply", "older.lua")
    #expect(refused.status == .exited(3), "\(refused)", sourceLocation: sourceLocation)
    #expect(
      refused.standardError.contains("is below \(floor)"), "\(refused)",
      sourceLocation: sourceLocation)
  }

  @Test func `the floor outlives the store, by its copy`() throws {
    try stage.sign(serial: 5, to: "fees.lua")
    let first = try stage.start()
    let applied = try stage.waxwing("apply", "fees.lua")
    expectSuccess(applied)
    try stage.stop(first)
    var status = stat()
    #expect(stat("\(state)/bankd.floors", &status) == 0 && status.st_mode & 0o777 == 0o600)
    try FileManager.default.removeItem(atPath: "\(state)/bankd")
    let second = try stage.start()
    expectContains(second.standardError, "floors.restored")
    try expectFloor(5)
    try stage.sign(serial: 6, to: "fees.lua")
    try expectSuccess(stage.waxwing("apply", "fees.lua"))
    try stage.stop(second)

    // And the copy is made again from the store.
    expectEqual(unlink("\(state)/bankd.floors"), 0)
    try stage.stop(try stage.start())
    try FileManager.default.removeItem(atPath: "\(state)/bankd")
    let third = try stage.start()
    try expectFloor(6)
    try stage.stop(third)
  }

  @Test func `with store and copy lost, signed patches wait for a rebuild from the audit log`()
    throws
  {
    try stage.sign(serial: 5, to: "fees.lua")
    var daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "fees.lua"))
    let floor = try #require(
      (try stage.record("apply")["patches"] as? [[String: Any]])?.first?["floor"] as? [String: Any])
    #expect(floor["serial"] as? Int == 5 && floor["program"] as? String == "bankd")
    try stage.stop(daemon)
    try FileManager.default.removeItem(atPath: state)

    daemon = try stage.start()
    expectContains(daemon.standardError, "floors.lost")
    let status = try stage.waxwing("status")
    #expect(status.status == .exited(10), "\(status)")
    expectContains(status.standardOutput, "the serial numbers that were applied here are not known")
    try stage.sign(serial: 6, to: "fees.lua")
    let refused = try stage.waxwing("apply", "fees.lua")
    #expect(refused.status == .exited(3), "\(refused)")
    expectContains(refused.standardError, "waxwing store rebuild --program bankd")
    try expectSuccess(stage.waxwing("restore"))

    // The daemon need not be started again for it.
    let rebuilt = try stage.waxwing("store", "rebuild", "--program", "bankd")
    expectSuccess(rebuilt)
    expectContains(rebuilt.standardOutput, "bankd.floors: 1 serial number after ")
    expectContains(rebuilt.standardOutput, "serial 5 of SHA256:")
    try expectFloor(5)
    try expectSuccess(stage.waxwing("apply", "fees.lua"))
    #expect(try !stage.waxwing("status").standardOutput.contains("not known"))
    try stage.stop(daemon)
    try expectContains(
      stage.waxwing("store", "--program", "bankd").standardOutput, "serial 6 of SHA256:")
  }

  @Test func `what a running daemon knows is not forgotten with its files`() throws {
    try stage.sign(serial: 5, to: "fees.lua")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "fees.lua"))
    try FileManager.default.removeItem(atPath: state)
    try expectFloor(5)
    // The next patch writes both again.
    try stage.sign(serial: 6, to: "fees.lua")
    try expectSuccess(stage.waxwing("apply", "fees.lua"))
    try stage.stop(daemon)
    let again = try stage.start()
    try expectFloor(6)
    try stage.stop(again)
  }

  @Test func `a host without a history takes its first signed patch`() throws {
    let daemon = try stage.start()
    try stage.sign(serial: 5, to: "fees.lua")
    try expectSuccess(stage.waxwing("apply", "fees.lua"))
    try stage.stop(daemon)
  }

  @Test func `rebuild takes no log that is not whole, unless it is told to`() throws {
    for serial in [3, 4] {
      try stage.sign(serial: serial, to: "fees.lua")
      let daemon = try stage.start()
      try expectSuccess(stage.waxwing("apply", "fees.lua"))
      try stage.stop(daemon)
    }
    try FileManager.default.removeItem(atPath: state)
    let log = "\(stage.path)/log/bankd.audit"
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    func put(_ lines: [Substring], _ name: String) throws {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(
        to: URL(fileURLWithPath: "\(stage.path)/log/\(name)"))
    }
    try put(Array(lines[..<2]), "bankd.audit.1")
    try put(Array(lines[2...]), "bankd.audit")
    let half = try stage.waxwing("store", "rebuild", "--program", "bankd")
    #expect(half.status == .exited(3), "\(half)")
    expectContains(half.standardError, "those before it are missing")
    let both = try stage.waxwing(
      "store", "rebuild", "--program", "bankd", "\(log).1", log)
    #expect(both.isSuccess && both.standardOutput.contains("serial 4 of"), "\(both)")
    expectEqual(unlink("\(state)/bankd.floors"), 0)
    let anyway = try stage.waxwing(
      "store", "rebuild", "--program", "bankd", "--anyway", "\(log).1")
    #expect(anyway.isSuccess && anyway.standardOutput.contains("serial 3 of"), "\(anyway)")
    // What is known already is not lowered.
    try expectContains(
      stage.waxwing("store", "rebuild", "--program", "bankd", "--anyway", log).standardOutput,
      "serial 4 of")
    try expectContains(
      stage.waxwing("store", "rebuild", "--program", "bankd", "--anyway", "\(log).1")
        .standardOutput, "serial 4 of")
  }

  @Test func `a damaged copy is written again from the store, and alone it counts as lost`()
    throws
  {
    try stage.sign(serial: 5, to: "fees.lua")
    var daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "fees.lua"))
    try stage.stop(daemon)
    func damage() throws {
      let file = "\(state)/bankd.floors"
      let text = try String(contentsOfFile: file, encoding: .utf8)
      try text.replacing("floor 5", with: "floor 4").write(
        toFile: file, atomically: false, encoding: .utf8)
    }
    try damage()
    try expectEqual(stage.waxwing("store", "--program", "bankd").status, .exited(6))
    daemon = try stage.start()
    try expectFloor(5)
    try expectSuccess(stage.waxwing("apply", "fees.lua"))
    try stage.stop(daemon)
    try expectSuccess(stage.waxwing("store", "--program", "bankd"))
    try damage()
    try FileManager.default.removeItem(atPath: "\(state)/bankd")
    daemon = try stage.start()
    let refused = try stage.waxwing("apply", "fees.lua")
    expectContains(refused.standardError, "not known")
    try expectSuccess(stage.waxwing("store", "rebuild", "--program", "bankd"))
    try expectFloor(5)
    try stage.stop(daemon)
  }

  /// The bytes of a damaged file; nil: it is gone.
  private static let damages: [(name: String, of: @Sendable (Data) -> Data?)] = [
    ("removed", { _ in nil }), ("cut", { $0.prefix($0.count / 2) }),
    ("zeros", { Data(count: $0.count) }), ("grown", { $0 + Data("more".utf8) }),
    (
      "flipped",
      { bytes in
        var bytes = bytes
        if !bytes.isEmpty { bytes[bytes.count / 3] ^= 4 }
        return bytes
      }
    ),
  ]

  @Test(arguments: [
    "bankd/state", "bankd/state.prev", "bankd/boot", "bankd/breadcrumbs", "bankd/lock",
    "bankd.floors",
  ])
  func `whatever is damaged, the daemon starts, nothing older comes in, restore works`(
    file: String
  ) throws {
    let first = try stage.start()
    for serial in [3, 4] {
      try stage.sign(serial: serial, to: "fees.lua")
      try expectSuccess(stage.waxwing("apply", "fees.lua", "--keep"))
    }
    try stage.stop(first)
    try stage.sign(serial: 3, to: "older.lua")
    let whole = "\(stage.path)/whole"
    try FileManager.default.copyItem(atPath: state, toPath: whole)
    for damage in Self.damages {
      try FileManager.default.removeItem(atPath: state)
      try FileManager.default.copyItem(atPath: whole, toPath: state)
      let path = URL(fileURLWithPath: "\(state)/\(file)")
      if let bytes = damage.of(try Data(contentsOf: path)) {
        try bytes.write(to: path)
      } else {
        try FileManager.default.removeItem(at: path)
      }
      let daemon = try stage.start()
      let older = try stage.waxwing("apply", "older.lua")
      expectContains(older.standardError, "is below 4")
      try expectSuccess(stage.waxwing("restore"))
      try stage.stop(daemon)
    }
  }

  @Test func `a floor that cannot be kept in both places refuses the patch`() throws {
    let shim = try FaultShim(in: stage.path)
    let daemon = try stage.start(shim.environment)
    var (live, failures) = (0, 0)
    for step in 1...20 {
      try stage.sign(serial: step, to: "fees.lua")
      try shim.happen(.fail(EIO, at: step))
      let result = try stage.waxwing("apply", "fees.lua")
      try shim.happen(nil)
      if result.isSuccess {
        live = step
      } else {
        failures += 1
        #expect(result.status == .exited(3), "\(result)")
      }
      let list = try stage.waxwing("list", "--json").standardOutput
      #expect(live == 0 || list.contains("\"serial\" : \(live)"), "\(list)")
      #expect(live > 0 || !list.contains("\"serial\""), "\(list)")
    }
    #expect(failures >= 8, "\(failures)")
    try stage.stop(daemon)
  }

  @Test func `a key that has wasted its numbers is replaced by another`() throws {
    try stage.sign(serial: 9_000_000_000, to: "fees.lua")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "fees.lua"))
    try stage.sign(serial: .max, to: "fees.lua")
    let refused = try stage.waxwing("apply", "fees.lua")
    #expect(refused.status == .exited(3), "\(refused)")
    expectContains(refused.standardError, "if a key has used up its numbers, replace the key")
    try stage.makeKey("second")
    try stage.sign(serial: 1, to: "fees.lua", by: "second")
    try expectSuccess(stage.waxwing("apply", "fees.lua"))
    try stage.stop(daemon)
  }
}
