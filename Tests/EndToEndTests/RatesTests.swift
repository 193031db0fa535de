// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// The example patch for bankd's async part: an override of an actor's method that waits.
@Suite struct RatesTests {
  let stage: Stage
  let patch: String

  init() throws {
    stage = try Stage()
    let root = String(#filePath.split(separator: "/").dropLast(3).flatMap { "/" + $0 })
    patch = try String(
      contentsOfFile: "\(root)/examples/bankd/patches/rates.lua", encoding: .utf8)
    try stage.write(patch, to: "rates.lua")
  }

  @Test func `while the feed is down the patch answers with the last good quote`() throws {
    try expectSilence()
    try stage.plays(
      #"""
      waxwing apply rates.lua
        applied rates version 1 to bankd (pid PID): 1 override
          bankd.RateService.quote(_:)
      GET /rates?currency=USD
        503 {"error":"there is no quote for USD"}
      POST /feed {"condition":"up"}
        200 {"condition":"up","requests":REQUESTS}
      GET /rates?currency=USD
        200 {"currency":"USD","current":true,"number":1,"rate":"1.083100"}
      GET /rates?currency=USD
        200 {"currency":"USD","current":true,"number":2,"rate":"1.083200"}
      POST /feed {"condition":"down"}
        200 {"condition":"down","requests":REQUESTS}
      GET /rates?currency=USD
        200 {"currency":"USD","current":false,"number":2,"rate":"1.083200"}
      POST /feed {"condition":"slow"}
        200 {"condition":"slow","requests":REQUESTS}
      GET /rates?currency=USD
        200 {"currency":"USD","current":false,"number":2,"rate":"1.083200"}
      GET /rates?currency=GBP
        503 {"error":"there is no quote for GBP"}
      waxwing list
        PATCH  VERSION  STATE   OVERRIDE                     CALLS  ERRORS
        rates        1  active  bankd.RateService.quote(_:)      6       0
      waxwing restore
        restored baseline: 1 patch ended, 1 entry verified, 0 differences
        ended rates
      """#)
    try expectSilence()
  }

  @Test func `an exchange in Swift gets the old quote, and the ledger is free meanwhile`() throws {
    _ = try stage.transcript(
      #"""
      POST /accounts {"owner":"Ada"}
      waxwing apply rates.lua
      GET /rates?currency=CHF
      POST /feed {"condition":"down"}
      """#)
    var client = try stage.bankd.connect()
    try client.send(
      "POST /exchanges HTTP/1.1\r\nHost: x\r\nContent-Length: 46\r\n\r\n"
        + #"{"account":1001,"amount":100,"currency":"CHF"}"#)
    try expectEqual(stage.bankd.ask("GET", "/ledger"), #"200 {"count":0,"entries":[]}"#)
    try expectEqual(
      client.answer().summary,
      #"201 {"account":1001,"amount":100,"balance":-100,"currency":"CHF","entry":1,"paid":94}"#)
  }

  @Test func `fifty that ask at once wait together, not one after the other`() throws {
    try stage.write(
      patch.replacing("patience <const> = 0.25", with: "patience <const> = 3600"), to: "rates.lua")
    _ = try stage.transcript(
      #"""
      waxwing apply rates.lua
      POST /feed {"condition":"down"}
      """#)
    let connections = try (0..<50).map { _ in
      let connection = Connection(try stage.bankd.connect())
      try connection.client.send("GET /rates?currency=GBP HTTP/1.1\r\nHost: x\r\n\r\n")
      return connection
    }
    try wait {
      try stage.waxwing(["metrics"]).contains(#"waxwing_calls_in_flight{patch="rates"} 50"#)
    }
    _ = try stage.transcript(#"POST /feed {"condition":"up"}"#)
    for connection in connections {
      #expect(
        try connection.client.answer().summary.hasPrefix(#"200 {"currency":"GBP","current":true"#))
    }
    try expectContains(stage.waxwing(["list"]), " 50       0")
  }

  @Test func `a call that waits when the patch ends is answered all the same`() throws {
    _ = try stage.transcript(
      #"""
      waxwing apply rates.lua
      GET /rates?currency=USD
      POST /feed {"condition":"slow"}
      """#)
    var client = try stage.bankd.connect()
    try client.send("GET /rates?currency=USD HTTP/1.1\r\nHost: x\r\n\r\n")
    // Until it has come to the feed, which takes two seconds; the patch gives up before.
    try wait { try stage.bankd.ask("GET", "/feed").contains(#""requests":2}"#) }
    let restored = try stage.waxwing(["restore"])
    expectContains(restored, "1 entry verified, 0 differences")
    let answer = try client.answer()
    expectEqual(answer.status, 200)
    expectContains(answer.body, #""currency":"USD""#)
  }

  @Test func `clients that hang up cancel what waits for them, and no error comes of it`() throws {
    _ = try stage.transcript(
      #"""
      waxwing apply rates.lua
      POST /feed {"condition":"slow"}
      """#)
    for _ in 0..<5 {
      var clients: [Connection] = []
      for _ in 0..<20 {
        let connection = Connection(try stage.bankd.connect())
        try connection.client.send("GET /rates?currency=USD HTTP/1.1\r\nHost: x\r\n\r\n")
        clients.append(connection)
      }
      // Some are noticed while their call waits, some when it has given up by itself.
      letOthersRun(for: .milliseconds(50))
      clients.removeAll()
    }
    try waitUntil("100 calls", seen: try stage.waxwing(["list"])) {
      try stage.waxwing(["list"]).contains(" 100       ")
    }
    try expectContains(stage.waxwing(["list"]), " 100       0")
    try expectEqual(
      stage.waxwing(["restore"]),
      """
        restored baseline: 1 patch ended, 1 entry verified, 0 differences
        ended rates
      """)
    _ = try stage.bankd.ask("POST", "/feed", #"{"condition":"up"}"#)
    #expect(try stage.bankd.ask("GET", "/rates?currency=USD").hasPrefix("200 "))
  }

  private func wait(until isSo: () throws -> Bool) throws {
    try waitUntil("what the feed answers", seen: stage.log, isSo)
  }

  /// The program's own code asks the feed without end.
  private func expectSilence() throws {
    _ = try stage.bankd.ask("POST", "/feed", #"{"condition":"down"}"#)
    var client = try HTTPClient(port: stage.bankd.port, timeout: 1)
    try client.send("GET /rates?currency=USD HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(throws: (any Error).self) { _ = try client.answer() }
  }
}

/// A client in an array.
private final class Connection {
  var client: HTTPClient
  init(_ client: consuming HTTPClient) { self.client = client }
}
