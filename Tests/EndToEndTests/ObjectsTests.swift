// SPDX-License-Identifier: MIT

import Expectations
import Testing
import WaxwingTestSupport

/// What a patch holds, by the tool and by the patch itself.
@Suite struct ObjectsTests {
  @Test func `the tool and the patch count the same`() throws {
    let stage = try Stage()
    try stage.write(
      """
      patch { name = "keeper" }
      local Account = class "bankd.Account"
      local kept = {}
      function Account:deposit(amount, memo)
        kept[amount] = self
        local held = objects()
        log.info("held", { accounts = held["bankd.Account"] or 0 })
        if amount == 3 then kept = {} end
        return self:ORIGdeposit(amount, memo)
      end
      """, to: "keeper.lua")
    try stage.plays(
      #"""
      waxwing objects
        bankd (pid PID) is at baseline: no patches
      waxwing apply keeper.lua
        applied keeper version 0 to bankd (pid PID): 1 override
          bankd.Account.deposit(_:memo:)
      waxwing objects
        PATCH   HOLDS      COUNT
        keeper  (nothing)      0
      POST /accounts {"owner":"Ada"}
        201 {"balance":0,"display":"0.00","id":1001,"kind":"checking","number":"BK-1001-6","owner":"Ada","title":"Ada's checking account"}
      POST /accounts {"owner":"Bob"}
        201 {"balance":0,"display":"0.00","id":1002,"kind":"checking","number":"BK-1002-3","owner":"Bob","title":"Bob's checking account"}
      POST /accounts/1001/deposit {"amount":1}
        200 {"account":1001,"balance":1,"display":"0.01"}
      POST /accounts/1002/deposit {"amount":2}
        200 {"account":1002,"balance":2,"display":"0.02"}
      waxwing objects
        PATCH   HOLDS          COUNT
        keeper  bankd.Account      2
      """#)
    #expect(stage.log.contains("accounts=2") || stage.log.contains("\"accounts\":\"2\""))
    let json = try stage.waxwing(["objects", "--json"])
    expectContains(json, #""bankd.Account" : 2"#)
    _ = try stage.transcript(#"POST /accounts/1001/deposit {"amount":3}"#)
    let after = try stage.waxwing(["objects", "bankd"])
    expectContains(after, "(nothing)")
  }

  @Test func `its help says what is counted`() throws {
    let help = try Shell().waxwing(["objects", "--help"]).standardOutput
    #expect(
      help.hasPrefix("waxwing objects: shows which objects and values the loaded patches hold"))
    expectContains(help, "--uncollected")
    expectContains(help, "objects()")
  }
}
