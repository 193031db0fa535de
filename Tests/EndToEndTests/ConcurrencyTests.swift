// SPDX-License-Identifier: MIT

import Expectations
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

  @Test func `while a patch comes and goes, each of four callers gets an old or a new answer`()
    throws
  {
    let seen = try answers(to: "/fees?amount=10000") {
      try stage.plays(
        """
        waxwing apply dearer.lua
          applied dearer version 0 to bankd (pid PID): 1 override
            bankd.FeeSchedule.fee(on:)
        waxwing restore
          restored baseline: 1 patch ended, 1 entry verified, 0 differences
          ended dearer
        """)
    }
    expectEqual(
      seen.keys.sorted(),
      [
        #"200 {"amount":10000,"fee":1150}"#, #"200 {"amount":10000,"fee":150}"#,
      ])
  }

  @Test func `the same of an async function of an actor, whose callers wait meanwhile`() throws {
    try stage.write(
      """
      local Service = class "bankd.RateService"
      function Service:quote(currency)
        local quote = self:ORIGquote(currency)
        quote.isCurrent = false
        return quote
      end
      """, to: "older.lua")
    let seen = try answers(to: "/rates?currency=USD") {
      try stage.plays(
        """
        waxwing apply older.lua
          applied older version 0 to bankd (pid PID): 1 override
            bankd.RateService.quote(_:)
        waxwing restore
          restored baseline: 1 patch ended, 1 entry verified, 0 differences
          ended older
        """)
    }
    let kinds = Set(seen.keys.map { $0.replacing(#/"number":\d+,"rate":"1.083\d00"/#, with: "…") })
    expectEqual(
      kinds.sorted(),
      [
        #"200 {"currency":"USD","current":false,…}"#, #"200 {"currency":"USD","current":true,…}"#,
      ])
    #expect(!stage.log.contains("error"))
  }

  @Test func `two tools at once take turns`() throws {
    try stage.write(
      """
      local Account = class "bankd.Account"
      function Account:deposit(amount, memo) return self:ORIGdeposit(amount, memo) end
      """, to: "deposit.lua")
    for _ in 0..<5 {
      let tools = try ["dearer.lua", "deposit.lua"].map { try stage.tool(["apply", $0]).start() }
      for tool in tools { try expectEqual(tool.waitForExit(), .exited(0)) }
      #expect(
        try stage.waxwing(["restore"])
          .hasPrefix("  restored baseline: 2 patches ended, 2 entries verified, 0 differences"))
    }
  }

  /// How often each answer came to four callers at once, while something is done ten times.
  private func answers(
    to path: String, during action: () throws -> Void
  ) throws -> [String: Int] {
    let port = stage.bankd.port
    let isOver = Atomic(false)
    let answers = Mutex<[String: Int]>([:])
    let group = DispatchGroup()
    for _ in 0..<4 {
      group.enter()
      Thread.detachNewThread {
        let counts = Self.answers(to: path, port: port) { isOver.load(ordering: .relaxed) }
        answers.withLock { $0.merge(counts, uniquingKeysWith: +) }
        group.leave()
      }
    }
    for _ in 0..<10 { try action() }
    isOver.store(true, ordering: .relaxed)
    group.waitInTime()
    return answers.withLock { $0 }
  }

  /// How often each answer came to one caller.
  private static func answers(
    to path: String, port: UInt16, until isOver: () -> Bool
  ) -> [String: Int] {
    var counts: [String: Int] = [:]
    do {
      var client = try HTTPClient(port: port)
      repeat {
        counts[try client.request("GET", path).summary, default: 0] += 1
      } while !isOver()
    } catch {
      counts["\(error)", default: 0] += 1
    }
    return counts
  }
}
