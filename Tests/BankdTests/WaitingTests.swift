// SPDX-License-Identifier: MIT

import Expectations
import Glibc
import Testing
import WaxwingTestSupport

/// Requests that wait for the feed of rates, which does not answer.
@Suite struct WaitingTests {
  @Test func `requests that wait hold up no others, and are answered when they can be`() throws {
    let bankd = try Bankd()
    _ = try bankd.ask("POST", "/accounts", #"{"owner":"Ada"}"#)
    _ = try bankd.ask("POST", "/feed", #"{"condition":"down"}"#)
    let waiting = 50
    // All of them at once, over connections of their own.
    var clients: [Box] = []
    for _ in 0..<waiting {
      let client = Box(try bankd.connect())
      try client.send(
        "POST /exchanges HTTP/1.1\r\nHost: x\r\nContent-Length: 46\r\n\r\n"
          + #"{"account":1001,"amount":100,"currency":"CHF"}"#)
      clients.append(client)
    }
    _ = try requests(of: bankd, beyond: waiting)
    #expect(try bankd.ask("GET", "/ledger") == #"200 {"count":0,"entries":[]}"#)
    #expect(
      try bankd.ask("POST", "/accounts/1001/deposit", #"{"amount":10000}"#)
        == #"200 {"account":1001,"balance":10000,"display":"100.00"}"#)

    _ = try bankd.ask("POST", "/feed", #"{"condition":"up"}"#)
    for client in clients { #expect(try client.answer().status == 201) }
    #expect(
      try bankd.ask("GET", "/ledger").hasPrefix(#"200 {"count":\#(waiting),"entries":"#))
    #expect(
      try bankd.ask("GET", "/accounts/1001").contains(#""balance":5000,"#))
  }

  @Test func `work for a client that has gone is given up`() throws {
    let bankd = try Bankd()
    _ = try bankd.ask("POST", "/feed", #"{"condition":"down"}"#)
    do {
      let client = try bankd.connect()
      try client.send("GET /rates?currency=USD HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = try requests(of: bankd, beyond: 2)
    }
    // It may have been asked a few times more until it was noticed.
    var last = -1
    try waitUntil("an end of the requests", seen: last) {
      let before = last
      last = try requests(of: bankd, beyond: 0)
      letOthersRun(for: .milliseconds(100))
      return last == before
    }
  }

  @Test func `a feed that dawdles is waited for`() throws {
    let bankd = try Bankd()
    _ = try bankd.ask("POST", "/feed", #"{"condition":"slow"}"#)
    let start = ContinuousClock.now
    #expect(
      try bankd.ask("GET", "/rates?currency=GBP")
        == #"200 {"currency":"GBP","current":true,"number":1,"rate":"0.851100"}"#)
    #expect(ContinuousClock.now - start > .seconds(1.5))
  }

  @Test func `what waits when the daemon stops is told so`() throws {
    let bankd = try Bankd()
    _ = try bankd.ask("POST", "/feed", #"{"condition":"down"}"#)
    var client = try bankd.connect()
    try client.send("GET /rates?currency=USD HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = try requests(of: bankd, beyond: 1)
    bankd.process.send(signal: SIGTERM)
    let answer = try client.answer()
    #expect(answer.summary == #"503 {"error":"the request was given up"}"#)
    #expect(answer.head.hasSuffix("Connection: close"))
    #expect(try bankd.process.waitForExit(timeout: .seconds(4)) == .exited(0))
    #expect(bankd.process.standardOutput.hasSuffix("bankd stopped\n"))
  }

  /// Waits until the feed has been asked more often than `number` times.
  private func requests(of bankd: borrowing Bankd, beyond number: Int) throws -> Int {
    var count = 0
    try waitUntil("more than \(number) requests", seen: count) {
      let feed = try bankd.ask("GET", "/feed")
      count = feed.firstMatch(of: #/"requests":(\d+)/#).flatMap { Int($0.1) } ?? 0
      return count > number
    }
    return count
  }
}

/// A connection in an array.
private final class Box {
  private var client: HTTPClient
  init(_ client: consuming HTTPClient) { self.client = client }
  func send(_ text: String) throws { try client.send(text) }
  func answer() throws -> HTTPAnswer { try client.answer() }
}
