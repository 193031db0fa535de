// SPDX-License-Identifier: MIT

import Testing
import WaxwingFleet

@testable import WaxwingConsole

/// Who is turned away by the console, and why.
@Suite struct ConsoleAccessTests {
  private static let access = ConsoleAccess(
    port: 8080, token: "ticket", proof: "proof", key: Array("open sesame".utf8))

  private static func get(_ change: (inout ConsoleRequest) -> Void = { _ in }) -> ConsoleRequest {
    var request = ConsoleRequest()
    request.host = "127.0.0.1:8080"
    request.cookie = "ticket"
    change(&request)
    return request
  }

  private static func post(_ change: (inout ConsoleRequest) -> Void = { _ in }) -> ConsoleRequest {
    get { request in
      request.method = "POST"
      request.path = "/api/halt"
      request.origin = "http://127.0.0.1:8080"
      request.fetchSite = "same-origin"
      request.contentType = "application/json"
      request.proof = "proof"
      request.body = Array(#"{"reason":"smoke","key":"open sesame"}"#.utf8)
      change(&request)
    }
  }

  @Test(arguments: [
    get(), get { $0.host = "localhost:8080" }, get { $0.host = "LOCALHOST:8080" },
    get {
      $0.cookie = nil
      $0.token = "ticket"
    },
    get {
      $0.cookie = "of another console"
      $0.token = "ticket"
    },
    post(), post { $0.fetchSite = nil },
  ])
  func `is let in`(request: ConsoleRequest) {
    #expect(Self.access.refusal(request) == nil)
  }

  @Test(
    arguments: [
      (get { $0.host = nil }, 421), (get { $0.host = "evil.example:8080" }, 421),
      (get { $0.host = "127.0.0.1" }, 421), (get { $0.host = "127.0.0.1:81" }, 421),
      (get { $0.host = "127.0.0.1:8080.evil.example" }, 421),
      (get { $0.method = "DELETE" }, 405), (get { $0.cookie = nil }, 403),
      (get { $0.cookie = "" }, 403), (get { $0.cookie = "ticket2" }, 403),
      (get { $0.cookie = "tickeT" }, 403),
      (post { $0.origin = nil }, 403), (post { $0.origin = "http://evil.example" }, 403),
      (post { $0.origin = "null" }, 403), (post { $0.origin = "https://127.0.0.1:8080" }, 403),
      (post { $0.fetchSite = "cross-site" }, 403), (post { $0.fetchSite = "same-site" }, 403),
      (post { $0.contentType = "text/plain" }, 403), (post { $0.contentType = nil }, 403),
      (post { $0.proof = nil }, 403), (post { $0.proof = "other" }, 403),
      (
        post {
          $0.cookie = nil
          $0.token = "ticket"
        }, 403
      ),
    ] as [(ConsoleRequest, UInt32)])
  func `is turned away`(request: ConsoleRequest, status: UInt32) {
    #expect(Self.access.refusal(request)?.status == status)
  }

  @Test func `without a key nothing is changed`() {
    let access = ConsoleAccess(port: 8080, token: "ticket", proof: "proof", key: nil)
    #expect(access.refusal(Self.get()) == nil)
    #expect(access.refusal(Self.post())?.status == 403)
    #expect(!access.isKey(""))
  }

  @Test func `tokens are drawn, and long`() {
    let (one, other) = (ConsoleAccess(port: 1, key: nil), ConsoleAccess(port: 1, key: nil))
    #expect(one.token != other.token)
    #expect(one.token != one.proof)
    #expect(one.token.count == 32)
  }

  // MARK: Routes

  /// Routes that remember for which reason the fleet was halted.
  private final class Halts: @unchecked Sendable {
    // Unchecked: each test asks on one thread.
    var reasons: [String] = []
    var failure: FleetError?
  }

  private func routes(_ halts: Halts = Halts()) -> ConsoleRoutes {
    ConsoleRoutes(Self.access) { reason throws(FleetError) in
      if let failure = halts.failure { throw failure }
      halts.reasons.append(reason)
    }
  }

  @Test func `the token moves into a cookie that no script and no other site sees`() {
    let answer = routes().answer(
      Self.get {
        $0.cookie = nil
        $0.token = "ticket"
      })
    #expect(answer.status == 303)
    #expect(answer.location == "/")
    #expect(answer.cookie == "waxwing-console-8080=ticket; Path=/; HttpOnly; SameSite=Strict")
  }

  @Test(arguments: [
    ("/", "text/html; charset=utf-8", "<!doctype html>"),
    ("/console.css", "text/css; charset=utf-8", "color-scheme"),
    ("/console.js", "text/javascript; charset=utf-8", "textContent"),
    ("/chart.js", "text/javascript; charset=utf-8", "Chart.js v3"),
  ])
  func `files of the page`(path: String, type: String, part: String) {
    let answer = routes().answer(Self.get { $0.path = path })
    #expect(answer.status == 200)
    #expect(answer.type == type)
    #expect(String(decoding: answer.body, as: UTF8.self).contains(part))
  }

  @Test(arguments: [
    "/etc/passwd", "/../page/index.html", "/api/nodes", "/api/halt", "//", "/index",
  ])
  func `there is nothing else`(path: String) {
    #expect(routes().answer(Self.get { $0.path = path }).status == 404)
  }

  @Test func `a halt is passed on with its reason`() {
    let halts = Halts()
    #expect(routes(halts).answer(Self.post()).status == 200)
    #expect(halts.reasons == ["smoke"])
  }

  @Test(
    arguments: [
      (#"{"reason":"smoke","key":"open says me"}"#, 403), (#"{"reason":"smoke","key":""}"#, 403),
      (#"{"reason":"","key":"open sesame"}"#, 400), (#"{"key":"open sesame"}"#, 400), ("", 400),
      ("[]", 400),
    ] as [(String, UInt32)])
  func `a halt without reason or key is none`(body: String, status: UInt32) {
    let halts = Halts()
    let answer = routes(halts).answer(Self.post { $0.body = Array(body.utf8) })
    #expect(answer.status == status)
    #expect(halts.reasons.isEmpty)
  }

  @Test func `who may not write the halt is told so`() {
    let halts = Halts()
    halts.failure = FleetError(.denied, "the user may not write there")
    let answer = routes(halts).answer(Self.post())
    #expect(answer.status == 403)
    #expect(answer.body == Array("the user may not write there\n".utf8))
  }

  @Test func `the document says whether there is a key`() throws {
    let routes = routes()
    routes.show(ConsoleDocument(fleet: "f"))
    let answer = routes.answer(Self.get { $0.path = "/api/fleet" })
    let document = try DocumentCoder.decode(
      ConsoleDocument.self, from: answer.body, named: "document")
    #expect(document.mayHalt)
    #expect(document.proof == "proof")
  }
}
