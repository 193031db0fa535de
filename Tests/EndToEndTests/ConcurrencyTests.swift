// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import Testing
import WaxwingTestSupport

@Suite struct ConcurrencyTests {
  let stage: Stage

  init() throws {
    stage = try Stage()
    try stage.write(
      """
      local Fees = class "bankd.FeeSchedule"
      function Fees:fee(amount) return self:ORIGfee(amount) + 1000 end
      """, to: "dearer.lua")
  }

  @Test func `161 while a patch comes and goes, each of four callers gets an old or a new answer`()
    throws
  {
    let port = stage.bankd.port
    let isOver = Atomic(false)
    let answers = Mutex<[String: Int]>([:])
    let group = DispatchGroup()
    for _ in 0..<4 {
      group.enter()
      Thread.detachNewThread {
        let counts = Self.answers(port: port) { isOver.load(ordering: .relaxed) }
        answers.withLock { $0.merge(counts, uniquingKeysWith: +) }
        group.leave()
      }
    }
    for _ in 0..<10 {
      try stage.plays(
        """
        waxwing apply dearer.lua
          applied dearer version 0 to bankd (pid PID): 1 override
            bankd.FeeSchedule.fee(on:)
        waxwing restore
          restored baseline: 1 patch ended, 1 entry verified, 0 differences
        """)
    }
    isOver.store(true, ordering: .relaxed)
    group.wait()
    let seen = answers.withLock { $0 }
    #expect(
      seen.keys.sorted() == [
        #"200 {"amount":10000,"fee":1150}"#, #"200 {"amount":10000,"fee":150}"#,
      ])
  }

  @Test func `two tools at once take turns`() throws {
    try stage.write(
      """
      local Account = class "bankd.Account"
      function Account:deposit(amount, memo) return self:ORIGdeposit(amount, memo) end
      """, to: "deposit.lua")
    for _ in 0..<5 {
      let tools = try ["dearer.lua", "deposit.lua"].map { try stage.tool(["apply", $0]).start() }
      for tool in tools { #expect(try tool.waitForExit() == .exited(0)) }
      #expect(
        try stage.waxwing(["restore"])
          == "  restored baseline: 2 patches ended, 2 entries verified, 0 differences")
    }
  }

  /// How often each answer came.
  private static func answers(port: UInt16, until isOver: () -> Bool) -> [String: Int] {
    var counts: [String: Int] = [:]
    do {
      var client = try HTTPClient(port: port)
      repeat {
        counts[try client.request("GET", "/fees?amount=10000").summary, default: 0] += 1
      } while !isOver()
    } catch {
      counts["\(error)", default: 0] += 1
    }
    return counts
  }
}
