// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import Testing
import WaxwingTestSupport

@Suite struct LoadTests {
  @Test func `800 requests of eight clients at once all count`() throws {
    let bankd = try Bankd()
    _ = try bankd.ask("POST", "/accounts", #"{"owner":"Ada"}"#)
    _ = try bankd.ask("POST", "/accounts", #"{"owner":"Ben"}"#)

    let port = bankd.port
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { client in
      do {
        try Self.work(client: client, port: port)
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }

    #expect(failures.withLock { $0 } == [])
    // Each client: 50 deposits of 100; odd ones 50 transfers of 10 from 1001, even ones to 1001.
    let transcript = try bankd.transcript(["GET /accounts"])
    #expect(
      transcript == #"""
        GET /accounts
          200 {"accounts":[{"balance":35000,"display":"350.00","id":1001,"kind":"checking","number":"BK-1001-6","owner":"Ada","title":"Ada's checking account"},{"balance":-5000,"display":"-50.00","id":1002,"kind":"checking","number":"BK-1002-3","owner":"Ben","title":"Ben's checking account"}]}
        """#)
  }

  /// 100 requests on one connection; transfers go in both directions at once.
  private static func work(client number: Int, port: UInt16) throws {
    var client = try HTTPClient(port: port)
    let (source, target) = number.isMultiple(of: 2) ? (1002, 1001) : (1001, 1002)
    for _ in 0..<50 {
      let deposit = try client.request("POST", "/accounts/1001/deposit", body: #"{"amount":100}"#)
      let transfer = try client.request(
        "POST", "/transfers", body: #"{"from":\#(source),"to":\#(target),"amount":10}"#)
      guard deposit.status == 200, transfer.status == 201 else {
        throw TestSupportError("\(deposit.summary) \(transfer.summary)")
      }
    }
  }
}
