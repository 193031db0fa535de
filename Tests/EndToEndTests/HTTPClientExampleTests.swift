// SPDX-License-Identifier: MIT

import Expectations
import Testing
import WaxwingTestSupport

@Suite struct HTTPClientExampleTests {
  private static let script =
    String(#filePath.split(separator: "/").dropLast(3).flatMap { "/" + $0 })
    + "/examples/http_client.lua"

  @Test func `requests wait one by one, together, with a limit, and by calling back`() throws {
    let bankd = try Bankd()
    let result = try Shell().waxwing(["run", Self.script, "http://127.0.0.1:\(bankd.port)"])
    expectEqual(
      result,
      CommandResult(
        status: .exited(0),
        standardOutput: """
          opened\tBK-1001-6\tBK-1002-3
          paid in\t500.00
          rates\tUSD\tGBP\tCHF
          one wait, not three\ttrue
          limit\tfalse\ttimed out after 0.3 s
          first\tok
          one of three\tfalse\t422: the query needs a currency, one of USD, GBP, CHF: \
          /rates?currency=USD
          refused\tfalse\t422: an amount is 1 to 1000000000000 cents, not 0
          not there\tfalse\t404: there is nothing at /nothing
          nobody there\tfalse\tFoundation.URLError\tcannotConnectToHost
          audit\tGBP 8.51\ttransfer
          fee\t150\tnil

          """, standardError: ""))
  }

  @Test func `without a daemon it says what it needs`() throws {
    let result = try Shell().waxwing(["run", Self.script])
    expectEqual(result.status, .exited(3))
    #expect(
      result.standardError.hasPrefix(
        "waxwing: error: usage: waxwing run examples/http_client.lua URL\n"))
  }
}
