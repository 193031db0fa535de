// SPDX-License-Identifier: MIT

import Testing
import WaxwingTestSupport

@Suite struct TransferTests {
  @Test func `a transfer moves the amount and takes the fee from the source`() throws {
    let bankd = try Bankd()
    _ = try bankd.ask("POST", "/accounts", #"{"owner":"Ada"}"#)
    _ = try bankd.ask("POST", "/accounts", #"{"owner":"Ben"}"#)
    _ = try bankd.ask("POST", "/accounts/1001/deposit", #"{"amount":20000}"#)
    let transcript = try bankd.transcript([
      #"POST /transfers {"from":1001,"to":1002,"amount":10050}"#,
      #"POST /transfers {"from":1002,"to":1001,"amount":50}"#,
      #"POST /transfers {"from":1002,"to":1001,"amount":100000}"#,
      #"POST /transfers {"from":1002,"to":1002,"amount":1}"#,
      #"POST /transfers {"from":1002,"to":9,"amount":1}"#,
      "GET /accounts/1002/statement",
    ])
    #expect(
      transcript == #"""
        POST /transfers {"from":1001,"to":1002,"amount":10050}
          201 {"amount":10050,"fee":150,"from":1001,"fromBalance":9800,"id":1,"to":1002,"toBalance":10050}
        POST /transfers {"from":1002,"to":1001,"amount":50}
          201 {"amount":50,"fee":25,"from":1002,"fromBalance":9975,"id":2,"to":1001,"toBalance":9850}
        POST /transfers {"from":1002,"to":1001,"amount":100000}
          422 {"error":"account 1002 does not allow a withdrawal of 1015.00"}
        POST /transfers {"from":1002,"to":1002,"amount":1}
          422 {"error":"account 1002 is both ends of the transfer"}
        POST /transfers {"from":1002,"to":9,"amount":1}
          404 {"error":"there is no account 9"}
        GET /accounts/1002/statement
          200 {"account":1002,"balance":9975,"entries":[{"amount":10050,"balance":10050,"kind":"deposit","memo":"transfer from 1001","sequence":1},{"amount":-75,"balance":9975,"kind":"withdrawal","memo":"transfer to 1001, fee 0.25","sequence":2}],"entryCount":2,"largestWithdrawal":75,"recentMemos":["transfer to 1001, fee 0.25","transfer from 1001"],"title":"Ben's checking account","totals":{"deposit":10050,"withdrawal":-75}}
        """#)
  }
}
