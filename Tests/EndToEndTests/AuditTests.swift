// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// The audit log of a running daemon.
@Suite struct AuditTests {
  private let stage: Stage
  private let log: TemporaryFolder
  private var file: String { "\(log.path)/bankd.audit" }

  init() throws {
    log = try TemporaryFolder()
    stage = try Stage(environment: ["WAXWING_LOG_DIR": log.path])
    try stage.write(Self.patch, to: "fees.lua")
  }

  private static let patch = """
    patch { name = "fees", version = 2 }
    local Fees = class "bankd.FeeSchedule"
    function Fees:fee(amount) return 7 end
    """

  private func records() throws -> [[String: Any]] {
    try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test func `each operation is on record, with who did it and by what patch`() throws {
    _ = try stage.waxwing(["apply", "fees.lua"])
    _ = try stage.waxwing(["revert", "fees"])
    _ = try stage.waxwing(["revert", "fees"])
    try stage.write("this is no Lua", to: "wrong.lua")
    _ = try stage.waxwing(["apply", "wrong.lua"])
    let records = try records()
    expectEqual(
      records.map { "\($0["event"] ?? "") \($0["verdict"] ?? "")" },
      [
        "listen done", "apply done", "revert done", "revert refused", "apply refused",
      ])
    expectEqual(records.map { $0["n"] as? Int }, [1, 2, 3, 4, 5])
    let applied = records[1]
    #expect(applied["uid"] as? UInt32 == geteuid())
    #expect(applied["user"] as? String == String(cString: getpwuid(geteuid()).pointee.pw_name))
    #expect(applied["generation"] as? Int == 1)
    #expect(records[2]["generation"] as? Int == 2)
    let patch = try #require((applied["patches"] as? [[String: Any]])?.first)
    #expect(patch["name"] as? String == "fees")
    #expect(patch["version"] as? Int == 2)
    let sum = try Command("/usr/bin/sha256sum", ["fees.lua"], directory: stage.folder).run()
    #expect(patch["sha256"] as? String == String(sum.standardOutput.prefix(64)))
    #expect((records[4]["reason"] as? String)?.hasPrefix("wrong.lua:1:") == true)
  }

  @Test func `audit verify agrees with status, and finds what was changed and what was cut`()
    throws
  {
    _ = try stage.waxwing(["apply", "fees.lua"])
    _ = try stage.waxwing(["restore"])
    let verified = try stage.waxwing(["audit", "verify"])
    #expect(
      verified.hasPrefix("  \(file): 3 records, the chain is complete\n  head: "), "\(verified)")
    let head = String(verified.suffix(64))
    let status = try stage.waxwing(["status"])
    expectContains(status, "audit log: \(file), 3 records, head \(head)")
    expectContains(stage.log, "audit.opened")

    let whole = try String(contentsOfFile: file, encoding: .utf8)
    func verify(_ text: String) throws -> String {
      try text.write(toFile: file, atomically: false, encoding: .utf8)
      return try stage.waxwing(["audit", "verify"])
    }
    let changed = try verify(whole.replacing("\"event\":\"apply\"", with: "\"event\":\"hello\""))
    expectContains(changed, ":3: record 2 was changed after record 3 was written")
    #expect(changed.hasSuffix("exited(3)"), "\(changed)")
    let lines = whole.split(separator: "\n").map { $0 + "\n" }
    let cut = try verify(lines[..<2].joined())
    expectContains(cut, "the file ends with record 2; the daemon has written 3")
    #expect(cut.hasSuffix("exited(3)"))
    // A file alone is whole when its end is missing: only its head tells.
    let alone = try stage.waxwing(["audit", "verify", file])
    #expect(alone.contains("2 records, the chain is complete") && !alone.contains(head))
    let last = try verify(lines[..<2].joined() + lines[at: 2].replacing("restore", with: "restart"))
    expectContains(last, "the last record is not the one that the daemon wrote")
  }

  @Test func `without room for the record nothing is applied, and restore works`() throws {
    _ = try stage.waxwing(["apply", "fees.lua"])
    // What cannot be written: a folder in the place of the file.
    #expect(rename(file, "\(log.path)/old") == 0 && mkdir(file, 0o700) == 0)
    try stage.write(Self.patch.replacing("7", with: "8"), to: "fees.lua")
    let refused = try stage.waxwing(["apply", "fees.lua", "--any-version"])
    expectContains(
      refused, "nothing is applied without an audit record: the audit log \(file) cannot")
    expectContains(refused, "`waxwing restore` works without")
    #expect(refused.hasSuffix("exited(3)"))
    try expectContains(stage.bankd.ask("GET", "/fees?amount=10000"), "\"fee\":7")
    let status = try stage.waxwing(["status"])
    #expect(status.contains("state: degraded") && status.contains("Is a directory"), "\(status)")
    expectContains(stage.log, "waxwing error audit.error: the audit log")
    try expectContains(stage.waxwing(["restore"]), "restored baseline: 1 patch ended")
    #expect(try !stage.bankd.ask("GET", "/fees?amount=10000").contains("\"fee\":7"))
    // Once it can be written again the chain goes on.
    #expect(rmdir(file) == 0 && rename("\(log.path)/old", file) == 0)
    try expectContains(stage.waxwing(["apply", "fees.lua"]), "applied fees")
    try expectContains(stage.waxwing(["audit", "verify"]), "the chain is complete")
  }

  @Test func `audit shows the last records`() throws {
    _ = try stage.waxwing(["apply", "fees.lua"])
    let shown = try stage.waxwing(["audit", "-n", "1"])
    #expect(shown.split(separator: "\n").count == 2, "\(shown)")
    expectContains(shown, "  2  TIME  apply  done")
    let json = try stage.waxwing(["audit", "bankd", "--json"])
    let document = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    expectEqual((document?["records"] as? [[String: Any]])?.count, 2)
    expectEqual(document?["log"] as? String, file)
    #expect(
      try stage.waxwing(["audit", "--file", file, "-n", "1"]).hasSuffix("\(shown.suffix(40))"))
    #expect(try stage.waxwing(["audit", "-n", "0"]).hasSuffix("exited(2)"))
    #expect(try stage.waxwing(["audit", "a", "b"]).hasSuffix("exited(2)"))
  }

  @Test func `a daemon without a place for a log keeps none, and applies all the same`() throws {
    let plain = try Stage()
    try plain.write(Self.patch, to: "fees.lua")
    try expectContains(plain.waxwing(["apply", "fees.lua"]), "applied fees")
    try expectContains(plain.waxwing(["status"]), "audit log: none")
    let answer = try plain.waxwing(["audit"])
    expectContains(answer, "bankd (pid PID) keeps no audit log")
  }
}
