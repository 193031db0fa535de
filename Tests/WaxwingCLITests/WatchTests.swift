// SPDX-License-Identifier: MIT

import ByteTrials
import Expectations
import Foundation
import Synchronization
import Testing
import WaxwingControl
import WaxwingTestSupport

/// `list --watch`, with a daemon whose patches change between two looks.
@Suite struct WatchTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  private static func patch(
    _ name: String, _ state: PatchStatus.State = .active, calls: UInt64 = 0, errors: UInt64 = 0,
    off: String? = nil
  ) -> PatchStatus {
    var override = OverrideStatus(selector: "Bank.fee(_:)", calls: calls, errors: errors)
    override.switchedOff = off
    return PatchStatus(
      name: name, version: 2, file: "a.lua", state: state,
      appliedAt: Timestamp(secondsSince1970: 0), overrides: [override])
  }

  /// What the daemon's list is at each look; the last one stays.
  private static let looks: [[PatchStatus]] = [
    [patch("fees")],
    [patch("fees", calls: 5), patch("audit")],
    [patch("fees", calls: 9, errors: 1, off: "1 failure"), patch("audit", .draining)],
    [patch("audit", .draining)],
  ]

  private func daemon() throws -> FakeDaemon {
    let seen = Mutex(0)
    return try FakeDaemon(tool) { request in
      guard request is ListRequest else { return .to(ListRequest.self, []) }
      return .to(
        ListRequest.self,
        seen.withLock { seen in
          defer { seen += 1 }
          return Self.looks[min(seen, Self.looks.count - 1)]
        })
    }
  }

  private func watch(_ arguments: [String], until text: String) throws -> String {
    let process = try Command(
      Tool.path, ["list", "--watch", "--every", "0.05"] + arguments,
      environment: ["WAXWING_SOCKET_DIR": tool.folder.path + "/s"]
    ).start()
    waitUntil(text, seen: process.standardOutput) { process.standardOutput.contains(text) }
    process.send(signal: SIGINT)
    #expect(try process.waitForExit() == .exited(0))
    return process.standardOutput
  }

  @Test func `each change is a line where the output is no terminal`() throws {
    let daemon = try daemon()
    defer { daemon.server.stop() }
    let lines = try watch([], until: "fees: ended").split(separator: "\n")
    #expect(lines.allSatisfy { $0.contains(#/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /#) })
    #expect(
      lines.map { $0.dropFirst("2026-05-04T03:02:01Z ".count) } == [
        "fees version 2: active",
        "fees: Bank.fee(_:): 5 calls (+5)",
        "audit version 2: active",
        "fees: Bank.fee(_:): 9 calls (+4)",
        "fees: Bank.fee(_:): 1 error (+1), switched off after 1 failure",
        "audit: draining",
        "fees: ended",
      ])
  }

  @Test func `each change is a document where that is asked for`() throws {
    struct Change: Decodable {
      let change, at: String
      let patch, override, state: String?
      let newCalls: Int?
    }
    let daemon = try daemon()
    defer { daemon.server.stop() }
    let changes = try watch(["--json"], until: #""ended""#).split(separator: "\n").map {
      try JSONDecoder().decode(Change.self, from: Data($0.utf8))
    }
    #expect(
      changes.map(\.change) == [
        "applied", "calls", "applied", "calls", "errors", "state", "ended",
      ])
    #expect(changes[3].patch == "fees" && changes[3].newCalls == 4)
    #expect(changes[5].patch == "audit" && changes[5].state == "draining")
  }

  @Test func `a daemon that goes away and comes back is told`() throws {
    let first = try FakeDaemon(tool) { _ in .to(ListRequest.self, [Self.patch("fees")]) }
    let process = try Command(
      Tool.path, ["list", "--watch", "--every", "0.05"],
      environment: ["WAXWING_SOCKET_DIR": tool.folder.path + "/s"]
    ).start()
    func wait(_ text: String) {
      waitUntil(text, seen: process.standardOutput) { process.standardOutput.contains(text) }
    }
    wait("fees version 2")
    first.server.stop()
    wait("the daemon is away")
    let second = try FakeDaemon(tool) { _ in .to(ListRequest.self, []) }
    defer { second.server.stop() }
    wait("the daemon is there again")
    wait("fees: ended")
    process.send(signal: SIGTERM)
    #expect(try process.waitForExit() == .exited(0))
  }

  @Test func `the time between two looks is about watching`() throws {
    let result = try tool.run("list", "--every", "2")
    #expect(result.exitCode == 2 && result.errors.contains("'--every' is about --watch"))
  }
}
