// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// Patches that are live again after a restart, and those that end by themselves.
@Suite struct KeepingTests {
  let stage: StoredStage

  init() throws {
    stage = try StoredStage()
  }

  @Test func `a kept patch is live after kill -9, before the first call; restore ends that`()
    throws
  {
    try stage.writeName("kept")
    var daemon = try stage.start()
    #expect(!FileManager.default.fileExists(atPath: "\(stage.path)/state"))
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.expect(daemon, name: "kept")
    try expectContains(stage.waxwing("list").standardOutput, "active, kept")
    try stage.kill(daemon)

    daemon = try stage.start()
    let first = try daemon.waitForLine(startingWith: "value ")
    expectEqual(first, "value 7 name kept")
    try stage.expect(daemon, logs: "boot.load")
    try expectSuccess(stage.waxwing("restore"))
    try stage.expect(daemon, name: "plain")
    try expectEqual(stage.waxwing("boot").standardOutput, "nothing is kept\n")
    try stage.kill(daemon)

    daemon = try stage.start()
    try expectEqual(daemon.waitForLine(startingWith: "value "), "value 7 name plain")
  }

  @Test func `the same for bankd, which ends in an orderly way`() throws {
    let folder = stage.path
    func start() throws -> RunningProcess {
      let process = try Bankd.command(["--port", "0"], socketDirectory: folder).start()
      _ = try process.waitForLine(startingWith: "bankd listening")
      return process
    }
    try stage.put(
      "local F = class 'bankd.FeeSchedule'\nfunction F:fee(amount) return 0 end", at: "fees.lua")
    let first = try start()
    try expectSuccess(stage.waxwing("apply", "fees.lua", "--keep"))
    try stage.kill(first, SIGTERM)
    #expect(FileManager.default.fileExists(atPath: "\(folder)/state/bankd/clean"))
    let second = try start()
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/state/bankd/clean"))
    try expectContains(stage.waxwing("list").standardOutput, "active, kept")
    try expectSuccess(stage.waxwing("revert", "fees"))
    try stage.kill(second, SIGTERM)
    let third = try start()
    try expectContains(stage.waxwing("list").standardOutput, "is at baseline")
    try stage.kill(third, SIGTERM)
  }

  @Test func `what is not kept is gone, and what is in its place comes back, with a warning`()
    throws
  {
    try stage.writeName("one", version: 1)
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.writeName("two", version: 2)
    let result = try stage.waxwing("apply", "name.lua")
    expectContains(result.standardError, "another version of it is kept")
    try stage.expect(daemon, name: "two")
    try stage.kill(daemon)
    try stage.expect(try stage.start(), name: "one")
  }

  @Test func `--replace --keep keeps these and nothing else`() throws {
    try stage.writeName("one", to: "one")
    try stage.writeName("two", to: "two")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "one.lua", "--keep"))
    try expectSuccess(stage.waxwing("apply", "two.lua", "--keep", "--replace"))
    try stage.kill(daemon)
    let again = try stage.start()
    try stage.expect(again, name: "two")
    try expectSuccess(stage.waxwing("revert", "two"))
    try stage.expect(again, name: "plain")
  }

  @Test func `a trial ends by itself, and what was before comes back`() throws {
    try stage.writeName("one", version: 1)
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.writeName("two", version: 2)
    try expectSuccess(stage.waxwing("apply", "name.lua", "--trial", "2s"))
    try stage.expect(daemon, name: "two")
    try expectContains(stage.waxwing("list").standardOutput, "active, trial")
    try stage.expect(daemon, name: "one")
    try stage.expect(daemon, logs: "trial.ended: name was not confirmed and has ended")
    try expectContains(stage.waxwing("list").standardOutput, "active, kept")
  }

  @Test(arguments: ["1e300", "-1e300", "9223372036854775807", "-0.0", "1e-300"])
  func `a client that asks for a trial of an odd length gets one, and the daemon lives`(
    seconds: String
  ) throws {
    try stage.writeName("tried")
    let daemon = try stage.start()
    let text = try Data(contentsOf: URL(fileURLWithPath: "\(stage.path)/name.lua"))
    let request = Array(
      """
      {"protocol":1,"verb":"apply","apply":{"patches":[{"files":[{"name":"name.lua",\
      "bytes":"\(text.base64EncodedString())"}]}],"options":{"waitSeconds":\(seconds),\
      "replacesAll":false,"keeps":true,"trialSeconds":\(seconds)}}}
      """.utf8)
    let client = try UnixClient(path: "\(stage.path)/crashd.sock")
    try client.send([0, 0, UInt8(request.count >> 8), UInt8(request.count & 255)] + request)
    let answer = String(decoding: try client.receive().dropFirst(4), as: UTF8.self)
    expectContains(answer, "\"name\":\"name\"")
    let trial = try #require(try stage.record("apply")["terms"] as? String)
    #expect(["keep, trial 604800 s", "keep, trial 0 s"].contains(trial))
    try expectSuccess(stage.waxwing("restore"))
    try stage.expect(daemon, name: "plain")
    try stage.kill(daemon)
  }

  @Test func `a trial that is confirmed stays; with --keep also after a restart`() throws {
    try stage.writeName("tried")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--trial", "1s"))
    let confirmed = try stage.waxwing("confirm")
    expectEqual(confirmed.standardOutput, "confirmed name: it stays until the program ends\n")
    try expectEqual(stage.waxwing("confirm").status, .exited(3))
    letOthersRun(for: .seconds(1.5))
    try stage.expect(daemon, name: "tried")
    try expectSuccess(stage.waxwing("restore"))

    try expectSuccess(stage.waxwing("apply", "name.lua", "--trial", "1m", "--keep"))
    try expectContains(stage.waxwing("confirm", "nothing").standardError, "on trial are `name`")
    try expectEqual(
      stage.waxwing("confirm", "name").standardOutput,
      "confirmed name: it stays, even after a restart\n")
    try stage.kill(daemon)
    try stage.expect(try stage.start(), name: "tried")
  }

  @Test func `a trial does not outlive its daemon`() throws {
    try stage.writeName("tried")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--trial", "1h", "--keep"))
    try stage.expect(daemon, name: "tried")
    try stage.kill(daemon)
    let again = try stage.start()
    try expectEqual(again.waitForLine(startingWith: "value "), "value 7 name plain")
  }

  @Test func `a damaged patch is left out and shown, and the others are live`() throws {
    try stage.writeName("good", to: "good")
    try stage.write("function Probe:value(n) return 8 end", to: "bad")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "good.lua", "bad.lua", "--keep"))
    try stage.kill(daemon)
    let blobs = "\(stage.store)/blobs"
    for name in try FileManager.default.contentsOfDirectory(atPath: blobs) {
      let text = try String(contentsOfFile: "\(blobs)/\(name)", encoding: .utf8)
      guard text.contains("return 8") else { continue }
      try stage.put(text.replacing("return 8", with: "return 9"), at: "state/crashd/blobs/\(name)")
    }
    let verified = try stage.waxwing("store", "--program", "crashd")
    #expect(verified.status == .exited(6) && verified.standardOutput.contains("is damaged"))
    let again = try stage.start()
    try stage.expect(again, name: "good")
    let status = try stage.waxwing("status")
    #expect(status.status == .exited(10) && status.standardOutput.contains("kept: bad"))
    expectContains(status.standardOutput, "is damaged: its hash does not match")
    try stage.expect(again, logs: "boot.skip: bad is not started")
  }

  @Test func `a store of a newer engine is left as it is, and the program starts`() throws {
    try stage.writeName("kept")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.kill(daemon)
    let newer = "waxwing-state 9\nnobody knows\n"
    try stage.put(newer, at: "state/crashd/state")
    let again = try stage.start()
    try expectEqual(again.waitForLine(startingWith: "value "), "value 7 name plain")
    let refused = try stage.waxwing("apply", "name.lua", "--keep")
    #expect(!refused.isSuccess && refused.standardError.contains("format 9"))
    try expectEqual(stage.waxwing("restore").status, .exited(6))
    try expectEqual(String(contentsOfFile: "\(stage.store)/state", encoding: .utf8), newer)
  }

  @Test func `patches that were kept for another build are left alone and shown`() throws {
    try stage.writeName("kept")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.kill(daemon)
    // As the other build would have written it.
    let text = try String(contentsOfFile: "\(stage.store)/state", encoding: .utf8)
    let build = try #require(text.firstMatch(of: #/\nbuild (\S+)/#)?.1)
    let lines = text.replacing(String(build), with: "0badf00d").split(separator: "\n").dropLast()
    let body = lines.joined(separator: "\n") + "\n"
    try stage.put(body, at: "body")
    let sum = try Command("sha256sum", ["\(stage.path)/body"]).run().standardOutput.prefix(64)
    try stage.put(body + "sha256 \(sum)\n", at: "state/crashd/state")
    let again = try stage.start()
    try expectEqual(again.waitForLine(startingWith: "value "), "value 7 name plain")
    try expectContains(
      stage.waxwing("boot").standardOutput, "inactive: it was applied to build 0badf00d")
    try expectContains(stage.waxwing("boot", "drop").standardOutput, "name is forgotten")
    try expectEqual(stage.waxwing("boot").standardOutput, "nothing is kept\n")
  }

  @Test func `a second instance runs without the store and says so`() throws {
    try stage.writeName("kept")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    let other = try StoredStage()
    let second = try stage.daemon([], ["WAXWING_SOCKET_DIR": other.path]).start()
    _ = try second.waitForLine(startingWith: "value ")
    try stage.expect(second, logs: "process \(daemon.pid) uses the store")
    try stage.expect(second, name: "plain")
    try other.writeName("live")
    try expectSuccess(other.waxwing("apply", "name.lua"))
    let kept = try other.waxwing("apply", "name.lua", "--keep")
    #expect(!kept.isSuccess && kept.standardError.contains("uses the store"))
    try expectSuccess(other.waxwing("restore"))
    try stage.kill(daemon)
    try stage.kill(second)
    try stage.expect(try stage.start(), name: "kept")
  }

  @Test func `a folder that others can read is not used, and the program starts`() throws {
    try stage.writeName("kept")
    let daemon = try stage.start()
    try expectSuccess(stage.waxwing("apply", "name.lua", "--keep"))
    try stage.kill(daemon)
    expectEqual(chmod(stage.store, 0o755), 0)
    let again = try stage.start()
    try expectEqual(again.waitForLine(startingWith: "value "), "value 7 name plain")
    let status = try stage.waxwing("status")
    expectContains(status.standardOutput, "chmod 700 \(stage.store)")
  }
}
