// SPDX-License-Identifier: MIT

import Testing
import WaxwingTestSupport

@Suite struct ExchangeTests {
  @Test func `money is paid out in other currencies, and the ledger has it all in order`() throws {
    let bankd = try Bankd()
    _ = try bankd.ask("POST", "/accounts", #"{"owner":"Ada"}"#)
    _ = try bankd.ask("POST", "/accounts", #"{"owner":"Ben"}"#)
    _ = try bankd.ask("POST", "/accounts/1001/deposit", #"{"amount":100000}"#)
    let transcript = try bankd.transcript([
      "GET /rates?currency=USD",
      "GET /rates?currency=GBP",
      #"POST /exchanges {"account":1001,"amount":10000,"currency":"USD"}"#,
      #"POST /transfers {"from":1001,"to":1002,"amount":500}"#,
      #"POST /exchanges {"account":1001,"amount":1000,"currency":"CHF"}"#,
      "GET /ledger",
      "GET /feed",
    ])
    #expect(
      transcript == #"""
        GET /rates?currency=USD
          200 {"currency":"USD","current":true,"number":1,"rate":"1.083100"}
        GET /rates?currency=GBP
          200 {"currency":"GBP","current":true,"number":2,"rate":"0.851200"}
        POST /exchanges {"account":1001,"amount":10000,"currency":"USD"}
          201 {"account":1001,"amount":10000,"balance":90000,"currency":"USD","entry":1,"paid":10833}
        POST /transfers {"from":1001,"to":1002,"amount":500}
          201 {"amount":500,"fee":25,"from":1001,"fromBalance":89475,"id":1,"to":1002,"toBalance":500}
        POST /exchanges {"account":1001,"amount":1000,"currency":"CHF"}
          201 {"account":1001,"amount":1000,"balance":88475,"currency":"CHF","entry":3,"paid":942}
        GET /ledger
          200 {"count":3,"entries":[\#
        {"account":1001,"amount":10000,"kind":"exchange","note":"USD 108.33","number":1},\#
        {"account":1001,"amount":500,"kind":"transfer","note":"to 1002","number":2},\#
        {"account":1001,"amount":1000,"kind":"exchange","note":"CHF 9.42","number":3}]}
        GET /feed
          200 {"condition":"up","requests":4}
        """#)
  }

  @Test(
    arguments: [
      (
        "GET /rates?currency=EUR",
        #"422 {"error":"the query needs a currency, one of USD, GBP, CHF: /rates?currency=USD"}"#
      ),
      (
        #"POST /exchanges {"account":1001,"amount":100,"currency":"EUR"}"#,
        #"422 {"error":"the value of 'currency' is not of the right kind"}"#
      ),
      (
        #"POST /exchanges {"account":1001,"amount":0,"currency":"USD"}"#,
        #"422 {"error":"an amount is 1 to 1000000000000 cents, not 0"}"#
      ),
      (
        #"POST /exchanges {"account":1009,"amount":1,"currency":"USD"}"#,
        #"404 {"error":"there is no account 1009"}"#
      ),
      (
        #"POST /exchanges {"account":1001,"amount":1000000,"currency":"USD"}"#,
        #"422 {"error":"account 1001 does not allow a withdrawal of 10000.00"}"#
      ),
      ("POST /ledger", #"405 {"error":"/ledger allows only GET"}"#),
      (
        #"POST /feed {"condition":"odd"}"#,
        #"422 {"error":"the value of 'condition' is not of the right kind"}"#
      ),
    ])
  func `an exchange is refused with a reason, and nothing is put on record`(
    request: String, answer: String
  ) throws {
    let bankd = try Bankd()
    _ = try bankd.ask("POST", "/accounts", #"{"owner":"Ada"}"#)
    #expect(try bankd.transcript([request]) == "\(request)\n  \(answer)")
    #expect(try bankd.ask("GET", "/ledger") == #"200 {"count":0,"entries":[]}"#)
  }

  @Test func `the ledger counts all and shows the latest fifty`() throws {
    let bankd = try Bankd()
    _ = try bankd.ask("POST", "/accounts", #"{"owner":"Ada"}"#)
    var client = try bankd.connect()
    for _ in 0..<60 {
      let answer = try client.request(
        "POST", "/exchanges", body: #"{"account":1001,"amount":10,"currency":"GBP"}"#)
      try #require(answer.status == 201)
    }
    let ledger = try bankd.ask("GET", "/ledger")
    #expect(ledger.hasPrefix(#"200 {"count":60,"#))
    let numbers = ledger.matches(of: #/"number":(\d+)/#).map { String($0.1) }
    #expect(numbers == (11...60).map { "\($0)" })
  }
}
