// SPDX-License-Identifier: MIT

import Expectations
import Testing
import WaxwingTestSupport

@Suite struct PatchingTests {
  let stage: Stage

  init() throws {
    stage = try Stage()
    try stage.write(
      """
      patch { name = "overdraft", version = 3, program = "bankd" }
      local Account = class "bankd.Account"
      function Account:withdraw(amount, memo)
        if amount > self.balance then return false end
        return self:ORIGwithdraw(amount, memo)
      end
      """, to: "overdraft.lua")
    try stage.write(
      """
      waxClass{"bankd.FeeSchedule"}
      function fee_on(self, amount) return self:ORIGfee_on(amount) + 1 end
      """, to: "dearer.lua")
    _ = try stage.transcript(
      #"""
      POST /accounts {"owner":"Ada"}
      POST /accounts/1001/deposit {"amount":10000}
      """#)
  }

  @Test func `a process is patched, looked at and restored`() throws {
    try stage.plays(
      #"""
      GET /health
        200 {"accounts":1,"pid":PID,"status":"ok"}
      waxwing status
        bankd (pid PID), engine 0.1.0
        build: BUILD
        security: INSECURE, patches are applied without a signature
        audit log: none
        state: baseline, no patches
        current: ID
      waxwing list
        bankd (pid PID) is at baseline: no patches
      POST /accounts/1001/withdraw {"amount":15000}
        200 {"account":1001,"balance":-5000,"display":"-50.00"}
      waxwing apply overdraft.lua
        applied overdraft version 3 to bankd (pid PID): 1 override
          bankd.Account.withdraw(_:memo:)
      POST /accounts/1001/withdraw {"amount":15000}
        422 {"error":"account 1001 does not allow a withdrawal of 150.00"}
      waxwing status
        bankd (pid PID), engine 0.1.0
        build: BUILD
        security: INSECURE, patches are applied without a signature
        audit log: none
        state: patched, 1 patch, 1 override, 1 call, 0 errors
        current: ID
          overdraft version 3: active since TIME
        exited(9)
      waxwing list
        PATCH      VERSION  STATE   OVERRIDE                         CALLS  ERRORS
        overdraft        3  active  bankd.Account.withdraw(_:memo:)      1       0
      waxwing restore
        restored baseline: 1 patch ended, 1 entry verified, 0 differences
        ended overdraft
      waxwing list
        bankd (pid PID) is at baseline: no patches
      POST /accounts/1001/withdraw {"amount":15000}
        200 {"account":1001,"balance":-20000,"display":"-200.00"}
      waxwing restore
        nothing to do: bankd is at baseline, 1 entry verified
      GET /health
        200 {"accounts":1,"pid":PID,"status":"ok"}
      """#)
  }

  @Test func `of two patches the one that is reverted goes and the other stays`() throws {
    try stage.plays(
      #"""
      waxwing apply overdraft.lua dearer.lua
        applied overdraft version 3 to bankd (pid PID): 1 override
          bankd.Account.withdraw(_:memo:)
        applied dearer version 0 to bankd (pid PID): 1 override
          bankd.FeeSchedule.fee(on:)
      GET /fees?amount=10000
        200 {"amount":10000,"fee":151}
      waxwing list
        PATCH      VERSION  STATE   OVERRIDE                         CALLS  ERRORS
        overdraft        3  active  bankd.Account.withdraw(_:memo:)      0       0
        dearer           0  active  bankd.FeeSchedule.fee(on:)           1       0
      waxwing revert overdraft
        reverted overdraft: 1 entry verified, 0 differences
      GET /fees?amount=10000
        200 {"amount":10000,"fee":151}
      POST /accounts/1001/withdraw {"amount":15000}
        200 {"account":1001,"balance":-5000,"display":"-50.00"}
      waxwing revert overdraft
        waxwing: error: no patch named `overdraft` is loaded
        waxwing: hint: loaded are `dearer`
        exited(3)
      waxwing revert dearer
        reverted dearer: 2 entries verified, 0 differences
      GET /fees?amount=10000
        200 {"amount":10000,"fee":150}
      waxwing list
        bankd (pid PID) is at baseline: no patches
      """#)
  }

  @Test func `patches of one function stack, and restore goes down to baseline`()
    throws
  {
    try stage.write(
      """
      patch { name = "double" }
      local Fees = class "FeeSchedule"
      Fees["fee(on:)"] = function(self, amount) return 2 * self:ORIGfee(amount) end
      """, to: "double.lua")
    try stage.plays(
      #"""
      waxwing apply dearer.lua
        applied dearer version 0 to bankd (pid PID): 1 override
          bankd.FeeSchedule.fee(on:)
      waxwing apply double.lua
        applied double version 0 to bankd (pid PID): 1 override
          bankd.FeeSchedule.fee(on:)
      GET /fees?amount=10000
        200 {"amount":10000,"fee":302}
      waxwing list
        PATCH   VERSION  STATE   OVERRIDE                    ORDER   CALLS  ERRORS
        dearer        0  active  bankd.FeeSchedule.fee(on:)  2 of 2      1       0
        double        0  active  bankd.FeeSchedule.fee(on:)  1 of 2      1       0
      waxwing apply double.lua
        unchanged: double version 0 is live in bankd (pid PID) already
      waxwing restore
        restored baseline: 2 patches ended, 1 entry verified, 0 differences
        ended double
        ended dearer
      GET /fees?amount=10000
        200 {"amount":10000,"fee":150}
      """#)
  }

  @Test func `a patch is replaced by a newer version of its own`() throws {
    let text = """
      patch { name = "fees", version = VERSION }
      local Fees = class "FeeSchedule"
      function Fees:fee(amount) return VERSION end
      """
    try stage.write(text.replacing("VERSION", with: "1"), to: "fees1.lua")
    try stage.write(text.replacing("VERSION", with: "2"), to: "fees2.lua")
    try stage.plays(
      #"""
      waxwing apply fees1.lua
        applied fees version 1 to bankd (pid PID): 1 override
          bankd.FeeSchedule.fee(on:)
      GET /fees?amount=10000
        200 {"amount":10000,"fee":1}
      waxwing apply fees2.lua
        applied fees version 2 to bankd (pid PID): 1 override, in place of version 1
          bankd.FeeSchedule.fee(on:)
      GET /fees?amount=10000
        200 {"amount":10000,"fee":2}
      waxwing list
        PATCH  VERSION  STATE   OVERRIDE                    CALLS  ERRORS
        fees         2  active  bankd.FeeSchedule.fee(on:)      1       0
      """#)
  }

  @Test func `ten rows are turned round and back`() throws {
    for row in 1...9 {
      _ = try stage.bankd.ask("POST", "/accounts", #"{"owner":"Ada","nickname":"\#(row)"}"#)
    }
    _ = try stage.bankd.ask("POST", "/accounts/1001/title", #"{"title":"0"}"#)
    try stage.write(
      """
      local Account = class "bankd.Account"
      function Account.get:title()
        local text = self:ORIGtitle()
        return tostring(9 - math.tointeger(tonumber(text)))
      end
      """, to: "rows.lua")
    func rows() throws -> String {
      try stage.bankd.ask("GET", "/accounts")
        .matches(of: #/"title":"(.*?)"/#).map { String($0.1) }.joined(separator: " ")
    }
    try expectEqual(rows(), "0 1 2 3 4 5 6 7 8 9")
    try stage.plays(
      """
      waxwing apply rows.lua
        applied rows version 0 to bankd (pid PID): 1 override
          bankd.Account.title.get
      """)
    try expectEqual(rows(), "9 8 7 6 5 4 3 2 1 0")
    _ = try stage.transcript("waxwing restore")
    try expectEqual(rows(), "0 1 2 3 4 5 6 7 8 9")
  }

  @Test func `a folder's modules are required once each, again after the next start`() throws {
    try stage.write(
      """
      patch { name = "fees" }
      local rules = require "rules.minimum"
      print(rules == require "rules.minimum", rules.minimum)
      waxClass{"bankd.FeeSchedule"}
      function fee_on(self, amount) return math.max(rules.minimum, self:ORIGfee_on(amount)) end
      """, to: "fees/main.lua")
    try stage.write(
      """
      log.info("loaded", { module = ... })
      return { minimum = 99 }
      """, to: "fees/rules/minimum.lua")
    try stage.plays(
      #"""
      waxwing apply fees
        applied fees version 0 to bankd (pid PID): 1 override
          bankd.FeeSchedule.fee(on:)
      GET /fees?amount=1
        200 {"amount":1,"fee":99}
      waxwing restore
        restored baseline: 1 patch ended, 1 entry verified, 0 differences
        ended fees
      waxwing apply fees
        applied fees version 0 to bankd (pid PID): 1 override
          bankd.FeeSchedule.fee(on:)
      GET /fees?amount=1
        200 {"amount":1,"fee":99}
      """#)
    expectEqual(
      stage.log,
      """
      waxwing info patch.log: loaded patch=fees at=fees/rules/minimum.lua:1 module=rules.minimum
      waxwing info patch.log: "true\\t99" patch=fees at=fees/main.lua:3
      waxwing info patch.applied: fees is live version=0 overrides=1
      waxwing info patch.ended: fees has ended laggards=0
      waxwing info patch.log: loaded patch=fees at=fees/rules/minimum.lua:1 module=rules.minimum
      waxwing info patch.log: "true\\t99" patch=fees at=fees/main.lua:3
      waxwing info patch.applied: fees is live version=0 overrides=1

      """)
  }
}
