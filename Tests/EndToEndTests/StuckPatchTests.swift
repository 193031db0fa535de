// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Synchronization
import Testing
import WaxwingTestSupport

/// A patch whose script waits in the program's own code, where nobody can stop it.
@Suite struct StuckPatchTests {
  @Test func `a patch that hangs while it is applied keeps nobody from restoring`() throws {
    let stage = try Stage()
    try stage.write(
      "local F = class 'bankd.FeeSchedule'\nfunction F:fee(amount) return 1 end", to: "fees.lua")
    try stage.write("log.info('begun') Thread.sleep(16)", to: "stuck.lua")
    let tool = try stage.tool(["apply", "stuck.lua"])
    try stage.plays(
      """
      waxwing apply fees.lua
        applied fees version 0 to bankd (pid PID): 1 override
          bankd.FeeSchedule.fee(on:)
      """)
    let hasEnded = DispatchSemaphore(value: 0)
    let answer = Mutex("")
    Thread.detachNewThread {
      let text = (try? tool.run().standardError) ?? ""
      answer.withLock { $0 = text }
      hasEnded.signal()
    }
    waitUntil("begun", seen: (stage.log, answer.withLock(\.self))) { stage.log.contains("begun") }
    let status = try stage.transcript("waxwing status")
    expectContains(status, "\n  state: degraded, 1 patch live\n")
    expectContains(status, "\n  busy: applying stuck.lua has been going on for ")
    #expect(status.contains("\n    fees: live\n") && status.contains("exited(10)"), "\(status)")
    let transcript = try stage.transcript(
      """
      GET /fees?amount=10000
      waxwing restore --wait 0
      GET /fees?amount=10000
      """
    ).replacing(#/for \d+ s/#, with: "for S s")
    expectEqual(
      transcript,
      """
      GET /fees?amount=10000
        200 {"amount":10000,"fee":1}
      waxwing restore --wait 0
        switched off 1 patch
        ended fees
        waxwing: error: the program runs its own code, but the patches keep what they hold: applying stuck.lua has been going on for S s
        waxwing: hint: they end when that has ended; if it never does, restart the program
        exited(6)
      GET /fees?amount=10000
        200 {"amount":10000,"fee":150}
      """)
    let refused = try stage.transcript("waxwing apply fees.lua")
    expectContains(refused, "busy")
    expectEqual(hasEnded.wait(timeout: .now() + 60), .success)
    // Not live, though it came to its end; and what was postponed has been done.
    let end = try stage.transcript("waxwing list\nwaxwing restore")
    expectContains(end, "bankd (pid PID) is at baseline: no patches")
    expectContains(end, "nothing to do: bankd is at baseline")
    expectContains(answer.withLock { $0 }, "the patch does not go live")
  }
}
