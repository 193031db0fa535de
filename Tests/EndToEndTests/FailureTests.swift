// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

@Suite struct FailureTests {
  let stage: Stage

  init() throws {
    stage = try Stage()
  }

  @Test func `a patch that fails leaves the answers as they were, and says where`() throws {
    try stage.write(
      """
      local Fees = class "bankd.FeeSchedule"
      local function rate(name) return rates[name] end
      function Fees:fee(amount)
        return amount * rate "usual"
      end
      """, to: "broken.lua")
    try stage.plays(
      #"""
      GET /fees?amount=10000
        200 {"amount":10000,"fee":150}
      waxwing apply broken.lua
        applied broken version 0 to bankd (pid PID): 1 override
          bankd.FeeSchedule.fee(on:)
      GET /fees?amount=10000
        200 {"amount":10000,"fee":150}
      GET /fees?amount=20000
        200 {"amount":20000,"fee":300}
      waxwing list
        PATCH   VERSION  STATE   OVERRIDE                    CALLS  ERRORS
        broken        0  active  bankd.FeeSchedule.fee(on:)      2       2
        broken: 2 errors in bankd.FeeSchedule.fee(on:), last at TIME
          broken.lua:2: undefined variable `rates`
            broken.lua:2: in function 'rate'
            broken.lua:4: in function <anonymous>
      """#)
  }

  @Test func `the name of a module is no variable, and the error says what to write`() throws {
    try stage.write("return bankd.FeeSchedule", to: "module.lua")
    try expectContains(
      stage.waxwing(["apply", "module.lua"]),
      "module.lua:1: undefined variable `bankd`; write `module \"bankd\"`")
  }

  @Test func `a wrong result is an error, and the original's stands`() throws {
    try stage.write(
      """
      local Fees = class "bankd.FeeSchedule"
      function Fees:fee(amount) return "12" end
      """, to: "text.lua")
    try stage.plays(
      #"""
      waxwing apply text.lua
        applied text version 0 to bankd (pid PID): 1 override
          bankd.FeeSchedule.fee(on:)
      GET /fees?amount=10000
        200 {"amount":10000,"fee":150}
      waxwing list
        PATCH  VERSION  STATE   OVERRIDE                    CALLS  ERRORS
        text         0  active  bankd.FeeSchedule.fee(on:)      1       1
        text: 1 error in bankd.FeeSchedule.fee(on:), last at TIME
          text.lua:2: the override of bankd.FeeSchedule.fee(on:) returned a wrong value: expected Int, got string "12"
      """#)
  }

  @Test func `a call that stays in a patch is named, and new calls are at baseline`()
    throws
  {
    try stage.write(
      """
      patch { limits = { instructions = 100e6, milliseconds = 2000 } }
      local Fees = class "bankd.FeeSchedule"
      local text = ("x"):rep(1e6) -- comparing takes long
      function Fees:fee(amount)
        while amount == 1 and text <= text do end
        return 7
      end
      """, to: "endless.lua")
    _ = try stage.transcript("waxwing apply endless.lua")
    let client = try stage.bankd.connect()
    try client.send("GET /fees?amount=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    try waitUntil("a call in flight", seen: try stage.transcript("waxwing list")) {
      try stage.transcript("waxwing list").contains("  1       0")
    }
    try stage.plays(
      """
      waxwing restore --wait 0.3
        restored in part: 1 patch ended, 1 entry verified, 0 differences
        ended endless
        waxwing: error: 1 call is still inside a patch that has ended, after 0.3 s
          endless: bankd.FeeSchedule.fee(on:), thread THREAD (bankd), for S s
            it is running Lua code of endless
        waxwing: hint: new calls run the program's own code; what the patch holds is freed when these calls end
        exited(5)
      """)
    try stage.plays(
      """
      GET /fees?amount=10000
        200 {"amount":10000,"fee":150}
      """)
  }
}
