// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Synchronization
import Testing
import WaxwingTestSupport

/// A control socket under attack beside a program at work.
@Suite struct ControlStormTests {
  private static let patch = """
    patch { name = "fees" }
    local Fees = class "bankd.FeeSchedule"
    function Fees:fee(amount) return 7 end
    """

  private func expectFee(_ stage: Stage) throws {
    let answer = try stage.bankd.ask("GET", "/fees?amount=10000")
    expectContains(answer, "\"fee\":7")
  }

  @Test
  func `thousands of connections a second: patched requests are answered, and so is the tool`()
    throws
  {
    let stage = try Stage()
    try stage.write(Self.patch, to: "fees.lua")
    try expectContains(stage.waxwing(["apply", "fees.lua"]), "applied")
    let isOver = Atomic(false)
    let connections = Atomic(0)
    let socket = stage.socket
    let group = DispatchGroup()
    for index in 0..<3 {
      group.enter()
      Thread.detachNewThread {
        while !isOver.load(ordering: .relaxed) {
          // Some say something first: half a frame, or no frame at all.
          guard let client = try? UnixClient(path: socket) else { continue }
          if index > 0 { try? client.send(index == 1 ? [0, 0] : Array("GET / HTTP/1.1\r\n".utf8)) }
          connections.wrappingAdd(1, ordering: .relaxed)
        }
        group.leave()
      }
    }
    var requests = 0
    while connections.load(ordering: .relaxed) < 10_000 || requests < 200 {
      try expectFee(stage)
      requests += 1
    }
    try expectContains(stage.waxwing(["list"]), "fees")
    isOver.store(true, ordering: .relaxed)
    group.waitInTime()
    try expectContains(stage.waxwing(["restore"]), "restored baseline")
  }

  @Test(.enabled(if: access("/usr/bin/prlimit", X_OK) == 0))
  func `out of descriptors the daemon pauses, does not spin, and goes on`() throws {
    let stage = try Stage()
    let pid = stage.bankd.process.pid
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
    let limit = try Command("/usr/bin/prlimit", ["--pid", "\(pid)", "--nofile=\(open + 8):"]).run()
    expectSuccess(limit)
    do {
      let many = try (0..<40).map { _ in try Connection(stage.socket) }
      let before = try processorTicks(pid)
      letOthersRun(for: .seconds(1.5))
      // A loop that spins takes 150 ticks of that time.
      #expect(try processorTicks(pid) - before < 75)
      _ = many.count
    }
    try expectSuccess(Command("/usr/bin/prlimit", ["--pid", "\(pid)", "--nofile=1024:"]).run())
    try expectContains(stage.waxwing(["list"]), "is at baseline")
    try expectContains(stage.bankd.ask("GET", "/health"), "ok")
  }

  @Test(.enabled(if: access("/usr/bin/prlimit", X_OK) == 0))
  func `out of descriptors silent clients give way to one that asks`() throws {
    let stage = try Stage()
    let pid = stage.bankd.process.pid
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
    try expectSuccess(
      Command("/usr/bin/prlimit", ["--pid", "\(pid)", "--nofile=\(open + 4):"]).run())
    let silent = try (0..<30).map { _ in try Connection(stage.socket) }
    try expectContains(stage.waxwing(["status", "--exit-zero"]), "baseline")
    try stage.write(Self.patch, to: "fees.lua")
    try expectContains(stage.waxwing(["apply", "fees.lua"]), "applied")
    try expectContains(stage.waxwing(["restore"]), "restored baseline")
    _ = silent.count
  }

  private final class Connection {
    let client: UnixClient
    init(_ path: String) throws { client = try UnixClient(path: path) }
  }

  private func processorTicks(_ pid: Int32) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    // The name in parentheses may have spaces; user and system time are the 12th and 13th after it.
    let fields = (text.split(separator: ")").last ?? "").split(separator: " ")
    return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
  }
}
