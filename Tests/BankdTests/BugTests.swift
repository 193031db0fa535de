// SPDX-License-Identifier: MIT

import Testing
import WaxwingTestSupport

/// The bugs that the example's patches mend: they have to be there, and to look as documented.
@Suite struct BugTests {
  @Test func `a withdrawal takes the balance below zero`() throws {
    let bankd = try Bankd()
    let transcript = try bankd.transcript([
      #"POST /accounts {"owner":"Ada"}"#,
      #"POST /accounts/1001/deposit {"amount":10000}"#,
      #"POST /accounts/1001/withdraw {"amount":15000,"memo":"rent"}"#,
      #"POST /accounts/1001/withdraw {"amount":15000,"memo":"rent"}"#,
    ])
    #expect(
      transcript == #"""
        POST /accounts {"owner":"Ada"}
          201 {"balance":0,"display":"0.00","id":1001,"kind":"checking","number":"BK-1001-6","owner":"Ada","title":"Ada's checking account"}
        POST /accounts/1001/deposit {"amount":10000}
          200 {"account":1001,"balance":10000,"display":"100.00"}
        POST /accounts/1001/withdraw {"amount":15000,"memo":"rent"}
          200 {"account":1001,"balance":-5000,"display":"-50.00"}
        POST /accounts/1001/withdraw {"amount":15000,"memo":"rent"}
          200 {"account":1001,"balance":-20000,"display":"-200.00"}
        """#)
  }

  @Test(
    arguments: [
      // 1.5 % of the amount is, in cents: 15, 30, 30.15, 150, 150.75.
      (1000, 25), (2000, 30), (2010, 30), (10_000, 150), (10_050, 150),
    ])
  func `a fee is cut to whole cents instead of rounded`(amount: Int, fee: Int) throws {
    let bankd = try Bankd()
    #expect(
      try bankd.ask("GET", "/fees?amount=\(amount)") == #"200 {"amount":\#(amount),"fee":\#(fee)}"#)
  }

  @Test func `a feed that is out of service is asked without end, and the client gets nothing`()
    throws
  {
    let bankd = try Bankd()
    _ = try bankd.ask("GET", "/rates?currency=USD")
    _ = try bankd.ask("POST", "/feed", #"{"condition":"down"}"#)
    var client = try HTTPClient(port: bankd.port, timeout: 1)
    try client.send("GET /rates?currency=USD HTTP/1.1\r\nHost: x\r\n\r\n")
    do {
      let answer = try client.answer()
      Issue.record("there is an answer: \(answer.summary)")
    } catch {}
    let feed = try bankd.ask("GET", "/feed")
    let requests = feed.firstMatch(of: #/"requests":(\d+)/#).flatMap { Int($0.1) }
    #expect((requests ?? 0) > 5)
    _ = try bankd.ask("POST", "/feed", #"{"condition":"up"}"#)
    #expect(
      try client.answer().summary
        == #"200 {"currency":"USD","current":true,"number":2,"rate":"1.083200"}"#)
  }
}
