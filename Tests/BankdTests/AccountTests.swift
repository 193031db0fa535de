// SPDX-License-Identifier: MIT

import Testing
import WaxwingTestSupport

@Suite struct AccountTests {
  @Test func `accounts are opened, listed, renamed and read`() throws {
    let bankd = try Bankd()
    let transcript = try bankd.transcript([
      #"POST /accounts {"owner":"Ada","kind":"checking"}"#,
      #"POST /accounts {"owner":"Ben","kind":"savings","nickname":"Rainy days"}"#,
      #"POST /accounts/1001/title {"title":"Rent"}"#,
      #"POST /accounts/1002/title {"title":""}"#,
      #"POST /accounts/1002/deposit {"amount":1000000}"#,
      "GET /accounts",
      "GET /accounts/1002",
      "GET /accounts/1003",
    ])
    #expect(
      transcript == #"""
        POST /accounts {"owner":"Ada","kind":"checking"}
          201 {"balance":0,"display":"0.00","id":1001,"kind":"checking","number":"BK-1001-6","owner":"Ada","title":"Ada's checking account"}
        POST /accounts {"owner":"Ben","kind":"savings","nickname":"Rainy days"}
          201 {"balance":0,"display":"0.00","id":1002,"kind":"savings","monthlyInterest":0,"number":"BK-1002-3","owner":"Ben","title":"Rainy days"}
        POST /accounts/1001/title {"title":"Rent"}
          200 {"balance":0,"display":"0.00","id":1001,"kind":"checking","number":"BK-1001-6","owner":"Ada","title":"Rent"}
        POST /accounts/1002/title {"title":""}
          200 {"balance":0,"display":"0.00","id":1002,"kind":"savings","monthlyInterest":0,"number":"BK-1002-3","owner":"Ben","title":"Ben's savings account"}
        POST /accounts/1002/deposit {"amount":1000000}
          200 {"account":1002,"balance":1000000,"display":"10000.00"}
        GET /accounts
          200 {"accounts":[{"balance":0,"display":"0.00","id":1001,"kind":"checking","number":"BK-1001-6","owner":"Ada","title":"Rent"},{"balance":1000000,"display":"10000.00","id":1002,"kind":"savings","monthlyInterest":1643,"number":"BK-1002-3","owner":"Ben","title":"Ben's savings account"}]}
        GET /accounts/1002
          200 {"balance":1000000,"display":"10000.00","id":1002,"kind":"savings","monthlyInterest":1643,"number":"BK-1002-3","owner":"Ben","title":"Ben's savings account"}
        GET /accounts/1003
          404 {"error":"there is no account 1003"}
        """#)
  }

  @Test func `a statement tells what happened`() throws {
    let bankd = try Bankd()
    let transcript = try bankd.transcript([
      #"POST /accounts {"owner":"Ada"}"#,
      "GET /accounts/1001/statement",
      #"POST /accounts/1001/deposit {"amount":10000,"memo":"pay day"}"#,
      #"POST /accounts/1001/withdraw {"amount":2550,"memo":"books"}"#,
      #"POST /accounts/1001/deposit {"amount":5}"#,
      "GET /accounts/1001/statement",
    ])
    #expect(
      transcript == #"""
        POST /accounts {"owner":"Ada"}
          201 {"balance":0,"display":"0.00","id":1001,"kind":"checking","number":"BK-1001-6","owner":"Ada","title":"Ada's checking account"}
        GET /accounts/1001/statement
          200 {"account":1001,"balance":0,"entries":[],"entryCount":0,"recentMemos":[],"title":"Ada's checking account","totals":{}}
        POST /accounts/1001/deposit {"amount":10000,"memo":"pay day"}
          200 {"account":1001,"balance":10000,"display":"100.00"}
        POST /accounts/1001/withdraw {"amount":2550,"memo":"books"}
          200 {"account":1001,"balance":7450,"display":"74.50"}
        POST /accounts/1001/deposit {"amount":5}
          200 {"account":1001,"balance":7455,"display":"74.55"}
        GET /accounts/1001/statement
          200 {"account":1001,"balance":7455,"entries":[{"amount":10000,"balance":10000,"kind":"deposit","memo":"pay day","sequence":1},{"amount":-2550,"balance":7450,"kind":"withdrawal","memo":"books","sequence":2},{"amount":5,"balance":7455,"kind":"deposit","memo":"","sequence":3}],"entryCount":3,"largestWithdrawal":2550,"recentMemos":["","books","pay day"],"title":"Ada's checking account","totals":{"deposit":10005,"withdrawal":-2550}}
        """#)
  }

  @Test func `withdrawals are bounded by the account's limits, savings in number as well`() throws {
    let bankd = try Bankd()
    _ = try bankd.ask("POST", "/accounts", #"{"owner":"Ada"}"#)
    _ = try bankd.ask("POST", "/accounts", #"{"owner":"Ben","kind":"savings"}"#)
    let seven = Array(repeating: #"POST /accounts/1002/withdraw {"amount":1}"#, count: 7)
    let answers = try bankd.transcript(
      [#"POST /accounts/1002/deposit {"amount":100}"#] + seven
        + [#"POST /accounts/1001/withdraw {"amount":100001}"#])
    #expect(
      answers.hasSuffix(
        #"""
        POST /accounts/1002/withdraw {"amount":1}
          200 {"account":1002,"balance":94,"display":"0.94"}
        POST /accounts/1002/withdraw {"amount":1}
          422 {"error":"account 1002 does not allow a withdrawal of 0.01"}
        POST /accounts/1001/withdraw {"amount":100001}
          422 {"error":"account 1001 does not allow a withdrawal of 1000.01"}
        """#))
  }
}
