// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingTestSupport

/// The example patch that leads requests of a broken endpoint of bankd to another one.
@Suite struct RoutesTests {
  let stage: Stage

  init() throws {
    stage = try Stage()
    let root = String(#filePath.split(separator: "/").dropLast(3).flatMap { "/" + $0 })
    let patch = try String(
      contentsOfFile: "\(root)/examples/bankd/patches/routes.lua", encoding: .utf8)
    try stage.write(patch, to: "routes.lua")
  }

  @Test func `routes lead requests elsewhere until the patch ends`() throws {
    try stage.plays(
      #"""
      POST /accounts {"owner":"Ada"}
        201 {"balance":0,"display":"0.00","id":1001,"kind":"checking","number":"BK-1001-6","owner":"Ada","title":"Ada's checking account"}
      POST /feed {"condition":"down"}
        200 {"condition":"down","requests":REQUESTS}
      GET /v1/accounts/1001
        404 {"error":"there is nothing at /v1/accounts/1001"}
      waxwing apply routes.lua
        applied routes version 1 to bankd (pid PID): 1 override
          bankd.BankAPI.respond(to:)
      GET /rates?currency=USD
        200 {"condition":"down","requests":REQUESTS}
      GET /v1/accounts/1001
        200 {"balance":0,"display":"0.00","id":1001,"kind":"checking","number":"BK-1001-6","owner":"Ada","title":"Ada's checking account"}
      GET /v1/accounts/1001/statement
        200 {"account":1001,"balance":0,"entries":[],"entryCount":0,"recentMemos":[],"title":"Ada's checking account","totals":{}}
      GET /accounts/1001
        200 {"balance":0,"display":"0.00","id":1001,"kind":"checking","number":"BK-1001-6","owner":"Ada","title":"Ada's checking account"}
      GET /v1/nothing
        404 {"error":"there is nothing at /v1/nothing"}
      waxwing list
        PATCH   VERSION  STATE   OVERRIDE                    CALLS  ERRORS
        routes        1  active  bankd.BankAPI.respond(to:)      5       0
      waxwing restore
        restored baseline: 1 patch ended, 1 entry verified, 0 differences
        ended routes
      GET /v1/accounts/1001
        404 {"error":"there is nothing at /v1/accounts/1001"}
      """#)
  }
}
