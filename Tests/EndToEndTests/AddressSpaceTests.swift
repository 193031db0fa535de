// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Glibc
import Testing
import WaxwingTestSupport

/// A daemon that the system gives no more memory, long before a patch has what it may have.
@Suite struct AddressSpaceTests {
  static let bombs = [
    "local t = {} for i = 1, 1e9 do t[i] = {} end",
    "local t = {} for i = 1, 1e9 do t[i] = {i, {i}} end",
    "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(100) .. i end",
    "local t = {} for i = 1, 1e9 do t[i] = function() return i end end",
  ]

  /// Ends the patch, or the process with the patch's name as its last word.
  @Test(arguments: bombs)
  func `a bomb of small things under RLIMIT_AS ends the patch, or the process names it`(
    bomb: String
  ) throws {
    // Swift's own report of a crash would take longer than the test waits for the end.
    let stage = try Stage(environment: ["SWIFT_BACKTRACE": "enable=no"])
    try stage.write(
      """
      patch { name = "bomb", limits = { memory = "256M", instructions = 100000000, milliseconds = 2000 } }
      local F = class "bankd.FeeSchedule"
      function F:fee(amount) \(bomb) return 1 end
      """, to: "bomb.lua")
    _ = try stage.transcript("waxwing apply bomb.lua\nGET /fees?amount=100")
    _ = try stage.transcript("waxwing restore")
    try Self.limit(stage.bankd.process.pid, more: 24 << 20)
    let applied = try stage.transcript("waxwing apply bomb.lua")
    expectContains(applied, "applied bomb version 0")
    do {
      let answer = try stage.transcript("GET /fees?amount=10000")
      expectContains(answer, #"200 {"amount":10000,"fee":150}"#)
      let list = try stage.transcript("waxwing list")
      expectContains(list, "not enough memory")
      try expectContains(stage.transcript("waxwing restore"), "restored baseline")
    } catch {
      _ = try stage.bankd.process.waitForExit()
      expectContains(stage.log, "for the patch `bomb`")
    }
  }

  /// - Parameter bytes: What the process may have besides what it has.
  private static func limit(_ pid: Int32, more bytes: Int) throws {
    let pages = try String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)
      .split(separator: " ").first.flatMap { Int($0) }
    let size = try #require(pages) * Int(sysconf(Int32(_SC_PAGESIZE)))
    let result = try Command("/usr/bin/prlimit", ["--pid", "\(pid)", "--as=\(size + bytes)"]).run()
    expectSuccess(result)
  }
}
