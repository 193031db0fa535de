// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// What a daemon's patches log, read from outside.
@Suite struct LogTests {
  private let stage: Stage

  init() throws {
    stage = try Stage()
    try stage.write(
      """
      local Account = class "bankd.Account"
      function Account:deposit(amount, memo)
        log.warn("seen", { amount = amount })
        if amount == 13 then error("unlucky") end
        return self:ORIGdeposit(amount, memo)
      end
      """, to: "seeing.lua")
    _ = try stage.transcript(#"POST /accounts {"owner":"Ada"}"#)
  }

  private func deposit(_ amount: Int) throws {
    _ = try stage.transcript(#"POST /accounts/1001/deposit {"amount":\#(amount),"memo":"x"}"#)
  }

  @Test func `the last events are shown, all or those of one patch`() throws {
    _ = try stage.waxwing(["apply", "seeing.lua"])
    for amount in [5, 13, 7] { try deposit(amount) }
    let all = try stage.waxwing(["log"])
    expectContains(all, "patch.applied: seeing is live")
    expectContains(all, #"patch.log: seen patch=seeing at=seeing.lua:3 amount=5"#)
    expectContains(all, "override.failed: seeing.lua:4: unlucky patch=seeing")
    try expectEqual(stage.waxwing(["log", "-n", "1"]).split(separator: "\n").count, 1)
    let errors = try stage.waxwing(["log", "--patch", "seeing", "--level", "error"])
    #expect(errors.split(separator: "\n").count == 1 && errors.contains("unlucky"))
    let other = try stage.waxwing(["log", "--patch", "other"])
    expectContains(other, "no patch named `other` is live, and none has logged anything")
    let json = try stage.waxwing(["log", "-n", "1", "--json"])
    #expect(json.contains(#""event":"patch.log""#) && json.contains(#""amount":7"#))
    try expectContains(
      stage.waxwing(["log", "--level", "loud"]), "'--level' needs debug, info, warning")
  }

  @Test func `events are what happens to patches, without what they log`() throws {
    _ = try stage.waxwing(["apply", "seeing.lua"])
    for amount in [5, 13] { try deposit(amount) }
    _ = try stage.waxwing(["apply", "nowhere.lua"])
    try stage.write("this is no Lua", to: "broken.lua")
    _ = try stage.waxwing(["apply", "broken.lua"])
    _ = try stage.waxwing(["revert", "seeing"])
    let events = try stage.waxwing(["events"])
    for event in [
      "patch.applied: seeing is live", "apply.refused: ", "patch.ended: seeing has ended",
    ] {
      expectContains(events, event)
    }
    #expect(!events.contains("patch.log") && !events.contains("override.failed"))
    try expectEqual(stage.waxwing(["events", "--patch", "seeing"]).split(separator: "\n").count, 2)
    try expectContains(stage.waxwing(["events", "-n", "1", "--json"]), #""event":"patch.ended""#)
  }

  @Test func `a follower shows what comes, each event once`() throws {
    let follower = try stage.tool(["log", "-f", "-n", "1"]).start()
    _ = try follower.waitForLine(startingWith: "20")
    _ = try stage.waxwing(["apply", "seeing.lua"])
    for amount in 1...3 { try deposit(amount) }
    waitUntil("the third line", seen: follower.standardOutput) {
      follower.standardOutput.contains("amount=3")
    }
    follower.send(signal: SIGINT)
    try expectEqual(follower.waitForExit(), .exited(0))
    let lines = follower.standardOutput.split(separator: "\n")
    expectEqual(lines.count { $0.contains("patch.log: seen") }, 3)
    expectEqual(lines.count { $0.contains("seeing is live") }, 1)
  }

  @Test func `a watched patch is live as it was saved last, until the watch ends`() throws {
    let watch = try stage.tool(["watch", "seeing.lua"]).start()
    func waitFor(_ text: String, times: Int = 1) throws {
      waitUntil("\(text), \(times) times", seen: watch.standardOutput + watch.standardError) {
        let all = watch.standardOutput + watch.standardError
        return all.components(separatedBy: text).count > times
      }
    }
    try waitFor("applied seeing: 1 override")
    try deposit(5)
    try waitFor("patch.log: seen patch=seeing at=seeing.lua:3 amount=5")
    try stage.write("this is no Lua", to: "seeing.lua")
    try waitFor("seeing.lua:1: ")
    try expectContains(stage.waxwing(["list"]), "seeing")
    try stage.write(
      """
      local Account = class "bankd.Account"
      function Account:deposit(amount, memo) return self:ORIGdeposit(amount + 1, memo) end
      """, to: "seeing.lua")
    try waitFor("applied seeing: 1 override", times: 2)
    try expectContains(
      stage.transcript(#"POST /accounts/1001/deposit {"amount":10,"memo":"x"}"#), #""balance":16"#)
    watch.send(signal: SIGINT)
    try expectEqual(watch.waitForExit(), .exited(0))
    expectContains(watch.standardOutput, "ended seeing")
    try expectContains(stage.waxwing(["list"]), "no patches")
  }

  @Test func `patches come and go with their files`() throws {
    try stage.write("log.info('one')", to: "all/one.lua")
    let watch = try stage.tool(["watch", "all"]).start()
    func wait(_ name: String, isLive: Bool) throws {
      try waitUntil(
        "\(name) is \(isLive ? "live" : "gone")",
        seen: (try stage.waxwing(["list"]), watch.standardOutput + watch.standardError)
      ) {
        try stage.waxwing(["list"]).contains(name) == isLive
      }
    }
    try stage.write(
      "local A = class 'bankd.Account' function A.get:title() return 'x' end",
      to: "all/two/main.lua")
    try wait("two", isLive: true)
    try FileManager.default.removeItem(atPath: "\(stage.folder)/all/two")
    try wait("two", isLive: false)
    watch.send(signal: SIGTERM)
    try expectEqual(watch.waitForExit(), .exited(0))
    try expectContains(stage.waxwing(["watch", "nowhere"]), "there is no nowhere")
  }
}
