// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// What becomes of kept patches and of trials is in the audit log, whoever or whatever did it.
@Suite struct StoreAuditTests {
  let stage: StoredStage

  init() throws {
    stage = try StoredStage()
  }

  private func words(_ records: [[String: Any]]) -> [String] {
    records.map { record in
      let names = (record["patches"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
      return ([record["event"], record["verdict"]].compactMap { $0 as? String } + names)
        .joined(separator: " ")
    }
  }

  private func patch(
    _ record: [String: Any], _ member: String = "patches"
  ) throws -> [String: Any] {
    try #require((record[member] as? [[String: Any]])?.first, "\(record)")
  }

  private func sum(_ name: String) throws -> String {
    String(
      try Command("sha256sum", ["\(stage.path)/\(name)"]).run().standardOutput.prefix(64))
  }

  @Test func `what a start does with kept patches is on record`() throws {
    try stage.writeName("kept", to: "good")
    try stage.writeCrash(to: "bad")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "good.lua", "--keep"))
    let applied = try stage.record("apply")
    #expect(applied["terms"] as? String == "keep")
    #expect(applied["generation_before"] as? Int == 0 && applied["generation"] as? Int == 1)
    _ = try stage.waxwing("apply", "bad.lua", "--keep")
    try daemon.waitForExit()
    expectEqual(words(try stage.records()), ["listen done", "apply done good", "apply done bad"])

    // The one that kills it is loaded once more, and then not.
    var seen = try stage.records().count
    #expect(try stage.startAndDie() != .exited(0))
    expectEqual(
      words(try stage.records(after: seen)),
      [
        "boot.strike done bad", "boot.load done good bad", "listen done",
      ])
    seen = try stage.records().count
    let second = try stage.start(["--healthy"])
    _ = try stage.record("boot.healthy", after: seen)
    let records = try stage.records(after: seen)
    expectEqual(
      words(records),
      [
        "boot.strike done bad", "boot.quarantine done bad", "boot.load done good", "listen done",
        "boot.healthy done good",
      ])
    #expect(records.allSatisfy { $0["by"] as? String == "program" })
    #expect(try patch(records[1])["sha256"] as? String == sum("bad.lua"))
    #expect((try patch(records[1])["stored"] as? String)?.count == 64)
    #expect((records[1]["reason"] as? String)?.contains("died in it 2 times") == true)
    #expect(try patch(records[2])["sha256"] as? String == sum("good.lua"))
    #expect(records[2]["generation_before"] as? Int == 0 && records[2]["generation"] as? Int == 1)
    try stage.kill(second)
    try expectSuccess(stage.waxwing("audit", "verify", "\(stage.path)/log/crashd.audit"))
  }

  @Test func `after a crash the patches that were live are on record, and which it was in`() throws
  {
    try stage.writeName("other", to: "beside")
    try stage.writeCrash(to: "bad")
    try stage.writeFate(1, to: "fate")
    try stage.write("function Probe:name() return self:ORIGname() end", to: "kept")
    let first = try stage.start()
    try expectSuccess(stage.waxwing("apply", "kept.lua", "--keep"))
    // The folder stays.
    try expectSuccess(stage.waxwing("revert", "kept"))
    try stage.kill(first)
    for (last, expected) in [
      ("bad.lua", ["boot.suspect done bad", "boot.live done beside"]),
      ("fate.lua", ["boot.live done beside", "boot.live done fate"]),
    ] {
      let daemon = try stage.start(["--healthy"])
      try expectSuccess(stage.waxwing("apply", "beside.lua"))
      _ = try stage.waxwing("apply", last)
      try daemon.waitForExit(timeout: .seconds(60))
      let seen = try stage.records().count
      let next = try stage.start(["--healthy"])
      let records = try stage.records(after: seen)
      let told = words(records).filter { $0.contains(#/^boot\.(suspect|live)/#) }
      expectEqual(told, expected)
      let reasons = records.compactMap { $0["reason"] as? String }
      expectContains(
        reasons.joined(separator: "\n"), "died while beside was live, outside its calls")
      try stage.kill(next, SIGTERM)
    }
  }

  @Test func `what is left out at a start is on record with the reason`() throws {
    try stage.writeName("kept", to: "good")
    try stage.write("function Probe:value(n) return 8 end", to: "bad")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "good.lua", "bad.lua", "--keep"))
    try stage.kill(daemon)
    let hash = try sum("bad.lua")
    let blobs = "\(stage.store)/blobs"
    for name in try FileManager.default.contentsOfDirectory(atPath: blobs) {
      let text = try String(contentsOfFile: "\(blobs)/\(name)", encoding: .utf8)
      guard text.contains("return 8") else { continue }
      try stage.put(text.replacing("return 8", with: "return 9"), at: "state/crashd/blobs/\(name)")
    }
    let seen = try stage.records().count
    let again = try stage.start()
    let skip = try stage.record("boot.skip", after: seen)
    #expect(skip["verdict"] as? String == "skipped")
    #expect((skip["reason"] as? String)?.contains("hash does not match") == true, "\(skip)")
    // Its bytes are not what they were: only the name of its file is known.
    #expect(try patch(skip)["name"] as? String == "bad" && patch(skip)["sha256"] == nil)
    #expect((try patch(skip)["stored"] as? String)?.count == 64)
    try expectSuccess(stage.waxwing("boot", "drop"))
    let drop = try stage.record("boot.drop", after: seen)
    #expect(drop["by"] as? String == "client" && drop["uid"] as? UInt32 == geteuid())
    #expect(try patch(drop)["name"] as? String == "bad")
    expectEqual(hash.count, 64)
    try stage.kill(again)
  }

  @Test func `a kill switch in force, and boot retry, are on record`() throws {
    try stage.writeFate(1)
    let daemon = try stage.start()
    _ = try stage.waxwing("apply", "fate.lua", "--keep")
    try daemon.waitForExit()
    var seen = try stage.records().count
    let off = try stage.start([], ["WAXWING_DISABLE": "1"])
    let disabled = try stage.record("boot.disabled", after: seen)
    #expect((disabled["reason"] as? String)?.contains("WAXWING_DISABLE is set") == true)
    #expect(try patch(disabled)["name"] as? String == "fate")
    try stage.kill(off)
    for _ in 0..<2 { #expect(try stage.startAndDie() != .exited(0)) }
    seen = try stage.records().count
    let baseline = try stage.start()
    let record = try stage.record("boot.baseline", after: seen)
    #expect(try patch(record)["name"] as? String == "fate")
    try expectSuccess(stage.waxwing("boot", "retry"))
    let retry = try stage.record("boot.retry", after: seen)
    #expect(try patch(retry)["name"] as? String == "fate" && retry["by"] as? String == "client")
    try stage.kill(baseline)
  }

  @Test func `trials, their end by themselves, and their confirmation are on record`() throws {
    try stage.writeName("one", version: 1)
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua"))
    let first = try sum("name.lua")
    try stage.writeName("two", version: 2)
    try expectSuccess(stage.waxwing("apply", "name.lua", "--trial", "1s"))
    let trial = try stage.record("apply")
    #expect(trial["terms"] as? String == "trial 1 s")
    #expect(try patch(trial, "ended")["sha256"] as? String == first)
    let ended = try stage.record("trial.ended")
    let shown = try stage.waxwing("audit", "-n", "2").standardOutput
    for part in ["for: trial 1 s", "ended: name 1 (\(first.prefix(12)))", "back: name 1 ("] {
      expectContains(shown, "      \(part)")
    }
    #expect(try patch(ended)["sha256"] as? String == sum("name.lua"))
    #expect(try patch(ended, "back")["sha256"] as? String == first)
    #expect(ended["generation_before"] as? Int == 2 && ended["generation"] as? Int == 3)
    try expectSuccess(stage.waxwing("apply", "name.lua", "--trial", "1m", "--keep"))
    try expectEqual(stage.waxwing("confirm", "other").status, .exited(3))
    try expectSuccess(stage.waxwing("confirm", "name"))
    expectEqual(
      words(try stage.records()).suffix(3),
      [
        "apply done name", "confirm refused other", "confirm done name",
      ])
    let confirmed = try stage.record("confirm")
    #expect(confirmed["terms"] as? String == "keep" && confirmed["uid"] as? UInt32 == geteuid())
    try stage.kill(daemon)
  }

  @Test func `what is taken back is on record with its hash, live or only kept`() throws {
    try stage.writeName("one", version: 1)
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    let kept = try sum("name.lua")
    try stage.writeName("two", version: 2)
    try expectSuccess(stage.waxwing("apply", "name.lua"))
    try expectSuccess(stage.waxwing("revert", "name"))
    let reverted = try stage.record("revert")
    let hashes = (reverted["patches"] as? [[String: Any]])?.compactMap { $0["sha256"] as? String }
    try expectEqual(hashes, [sum("name.lua"), kept])
    #expect(reverted["generation_before"] as? Int == 2 && reverted["generation"] as? Int == 3)
    // What is kept and not live is taken back too.
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.kill(daemon)
    let again = try stage.start([], ["WAXWING_DISABLE": "1"])
    try expectSuccess(stage.waxwing("restore"))
    let restored = try stage.record("restore")
    #expect(try patch(restored)["sha256"] as? String == sum("name.lua"))
    #expect(restored["generation"] as? Int == 0 && restored["verdict"] as? String == "done")
    try stage.kill(again)
  }

  @Test func `patches that end for others, and those kept while live, are on record`() throws {
    try stage.writeName("one", to: "one")
    try stage.write("function Probe:value(n) return 8 end", to: "two")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "one.lua", "two.lua"))
    try expectSuccess(stage.waxwing("apply", "two.lua"))
    try expectEqual(stage.records().count, 2)
    // Nothing goes live, but one ends; nothing goes live or ends, but one is kept.
    try expectSuccess(stage.waxwing("apply", "two.lua", "--replace"))
    let replaced = try stage.record("apply")
    try expectEqual(stage.records().count, 3)
    #expect(try patch(replaced, "ended")["sha256"] as? String == sum("one.lua"))
    try expectSuccess(stage.waxwing("apply", "two.lua", "--keep"))
    try expectSuccess(stage.waxwing("apply", "two.lua", "--keep"))
    try expectEqual(stage.records().count, 4)
    #expect(try stage.record("apply")["terms"] as? String == "keep")
    #expect(try stage.record("apply")["generation"] as? Int == 2)
    try stage.kill(daemon)
  }

  /// Nothing can be written in the place of the log.
  private func breakLog() throws {
    let file = "\(stage.path)/log/crashd.audit"
    #expect(rename(file, file + ".1") == 0 && mkdir(file, 0o700) == 0)
  }

  @Test func `without a record nothing stays or comes back, and all can be taken back`() throws {
    try stage.writeName("one", version: 1)
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.writeName("two", version: 2)
    try expectSuccess(stage.waxwing("apply", "name.lua", "--trial", "8s", "--keep"))
    try breakLog()
    let refused = try stage.waxwing("confirm")
    #expect(refused.status == .exited(3), "\(refused)")
    expectContains(refused.standardError, "nothing is applied without an audit record")
    try expectContains(stage.waxwing("list").standardOutput, "active, trial")
    // The trial ends at its time all the same.
    try stage.expect(daemon, name: "one")
    try stage.expect(daemon, logs: "trial.ended")
    try expectSuccess(stage.waxwing("restore"))
    try stage.expect(daemon, name: "plain")
    try stage.kill(daemon)
  }

  @Test func `kept patches start without a record, unless each step has to be recorded`() throws {
    try stage.writeName("kept")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.kill(daemon)
    try breakLog()
    let loud = try stage.start()
    try stage.expect(loud, name: "kept")
    try stage.expect(loud, logs: "audit.error")
    try expectEqual(stage.waxwing("status").status, .exited(10))
    try expectSuccess(stage.waxwing("boot", "drop"))
    try stage.kill(loud)
    try stage.put("audit-required = yes\n", at: "configuration/crashd.conf")
    let strict = try stage.start()
    try stage.expect(strict, name: "plain")
    let boot = try stage.waxwing("boot").standardOutput
    #expect(
      boot.contains("kept: name") && boot.contains("nothing is applied without an audit record"),
      "\(boot)")
    try stage.kill(strict)
  }

  @Test func `boot retry needs a record, boot drop does not`() throws {
    try stage.writeFate(1)
    let daemon = try stage.start()
    _ = try stage.waxwing("apply", "fate.lua", "--keep")
    try daemon.waitForExit()
    for _ in 0..<2 { #expect(try stage.startAndDie() != .exited(0)) }
    let baseline = try stage.start()
    try breakLog()
    let refused = try stage.waxwing("boot", "retry")
    #expect(
      refused.status == .exited(3) && refused.standardError.contains("without an audit record"))
    try expectContains(stage.waxwing("boot").standardOutput, "BASELINE since")
    try expectContains(stage.waxwing("boot", "drop").standardOutput, "fate is forgotten")
    try stage.kill(baseline)
  }

  @Test func `a record of what the disk then refused is followed by one that says so`() throws {
    let shim = try FaultShim(in: stage.path)
    try stage.writeName("kept")
    let daemon = try stage.start(["--healthy-after", "1000"], shim.environment)
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    var undone = 0
    for step in 1...24 {
      try stage.writeName("v\(step)", version: step + 1)
      let seen = try stage.records().count
      try shim.happen(.fail(EIO, at: step))
      let result = try stage.waxwing("apply", "name.lua", "--keep")
      try shim.happen(nil)
      let new = words(try stage.records(after: seen))
      if result.isSuccess { continue }
      // The log may have been what failed.
      if new.first == "apply done name" {
        #expect(new.dropFirst() == ["apply undone name", "apply refused name.lua"], "\(new)")
        undone += 1
      }
    }
    #expect(undone > 2)
    try stage.kill(daemon)
  }
}
