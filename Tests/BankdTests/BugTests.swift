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
}
