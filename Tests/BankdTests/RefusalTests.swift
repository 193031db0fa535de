// SPDX-License-Identifier: MIT

import Testing
import WaxwingTestSupport

/// Requests that are well-formed HTTP and make no sense to the bank.
@Suite struct RefusalTests {
  @Test(
    arguments: [
      ("GET /", #"404 {"error":"there is nothing at /"}"#),
      ("GET /accounts/", #"404 {"error":"there is nothing at /accounts/"}"#),
      ("GET /accounts/x", #"404 {"error":"there is nothing at /accounts/x"}"#),
      ("GET /accounts/-1", #"404 {"error":"there is nothing at /accounts/-1"}"#),
      ("DELETE /accounts", #"405 {"error":"/accounts allows only GET, POST"}"#),
      ("GET /transfers", #"405 {"error":"/transfers allows only POST"}"#),
      ("POST /accounts", #"400 {"error":"the body is not valid JSON"}"#),
      ("POST /accounts {\"owner\":", #"400 {"error":"the body is not valid JSON"}"#),
      ("POST /accounts [1]", #"422 {"error":"the body is not a JSON object"}"#),
      ("POST /accounts {}", #"422 {"error":"the body has no 'owner'"}"#),
      (
        #"POST /accounts {"owner":" "}"#,
        #"422 {"error":"an owner's name has 1 to 100 characters"}"#
      ),
      (
        #"POST /accounts {"owner":null}"#,
        #"422 {"error":"the value of 'owner' is not of the right kind"}"#
      ),
      (
        #"POST /accounts {"owner":"Ada","kind":"gold"}"#,
        #"422 {"error":"the value of 'kind' is not of the right kind"}"#
      ),
      ("GET /fees", #"422 {"error":"the query needs an amount in cents: /fees?amount=1000"}"#),
      (
        "GET /fees?amount=1000000000001",
        #"422 {"error":"an amount is 1 to 1000000000000 cents, not 1000000000001"}"#
      ),
      (
        #"POST /accounts/1001/deposit {"amount":1}"#,
        #"404 {"error":"there is no account 1001"}"#
      ),
    ])
  func `a request is refused with a reason`(request: String, answer: String) throws {
    let bankd = try Bankd()
    #expect(try bankd.transcript([request]) == "\(request)\n  \(answer)")
  }

  @Test(
    arguments: [
      ("0", "an amount is 1 to 1000000000000 cents, not 0"),
      ("-5", "an amount is 1 to 1000000000000 cents, not -5"),
      ("9223372036854775807", "an amount is 1 to 1000000000000 cents, not 9223372036854775807"),
      ("9223372036854775808", "a value in the body is not of the right kind"),
      ("1.5", "a value in the body is not of the right kind"),
      (#""1""#, "the value of 'amount' is not of the right kind"),
    ], ["deposit", "withdraw"])
  func `an amount has to be one`(amount: (String, String), action: String) throws {
    let bankd = try Bankd()
    _ = try bankd.ask("POST", "/accounts", #"{"owner":"Ada"}"#)
    #expect(
      try bankd.ask("POST", "/accounts/1001/\(action)", #"{"amount":\#(amount.0)}"#)
        == #"422 {"error":"\#(amount.1)"}"#)
  }
}
