// SPDX-License-Identifier: MIT

import ByteTrials
import Expectations
import Foundation
import SeededRandom
import Testing
import WaxwingControl

@Suite struct HostileClientTests {
  /// Bytes that are no frame, and what the answer says.
  static let garbage: [(bytes: [UInt8], answer: String)] = [
    (Array("GET / HTTP/1.1\r\n\r\n".utf8), "a frame of 1195725856 bytes is announced"),
    ([0x16, 0x03, 0x01, 0x02, 0x00, 0x01], "a frame of 369295618 bytes is announced"),
    ([0xFF, 0xFF, 0xFF, 0xFF], "a frame of 4294967295 bytes is announced; the limit is 4194304"),
    ([0x00, 0x40, 0x00, 0x01], "a frame of 4194305 bytes is announced; the limit is 4194304"),
    ([0x40, 0x00, 0x00, 0x00], "a frame of 1073741824 bytes is announced"),
    ([0, 0, 0, 0], "the frame is empty"),
  ]

  @Test(arguments: garbage)
  func `garbage is answered and the client dropped`(bytes: [UInt8], answer: String) throws {
    let server = try TestServer()
    let client = RawClient(path: server.path)
    client.send(bytes)
    #expect(client.receive()?.contains(answer) == true)
    #expect(client.isClosed())
    #expect(server.serves())
  }

  /// Frames whose JSON is no request, and what the answer says.
  static let malformed: [(json: String, answer: String)] = [
    ("nonsense", "the frame is not a request"),
    ("{}", "the field 'verb' is missing"),
    ("[]", "has another type"),
    (#"{"verb":7}"#, "the field 'verb' has another type"),
    (#"{"verb":"dance"}"#, "does not know the request 'dance'"),
    (#"{"verb":"list","protocol":99}"#, "the request uses protocol 99"),
    (#"{"verb":"apply"}"#, "the field 'apply' is missing"),
    (
      #"{"verb":"apply","apply":{"files":[{"name":"a","bytes":"*"}],"options":{}}}"#,
      "invalidRequest"
    ),
    (String(repeating: "[", count: 100_000), "the frame is not a request"),
  ]

  @Test(arguments: malformed)
  func `a frame that is no request is answered and the connection stays`(
    json: String, answer: String
  ) throws {
    let server = try TestServer()
    let client = RawClient(path: server.path)
    client.send(json: json)
    let received = client.receive()
    #expect(received?.contains(answer) == true, "\(received ?? "closed")")
    client.send(json: #"{"verb":"list","unknownField":1}"#)
    #expect(client.receive() == #"{"list":[],"result":"list"}"#)
  }

  @Test func `clients that leave half way disturb nobody`() throws {
    let server = try TestServer()
    let frame = RawClient.frame(#"{"verb":"list"}"#)
    for count in 0...frame.count {
      let client = RawClient(path: server.path)
      client.send(frame.prefix(count))
    }
    #expect(server.serves())
  }

  @Test func `clients that leave before the answer disturb nobody`() throws {
    let server = try TestServer { request in
      letOthersRun()
      return TestServer.answer(request)
    }
    for _ in 0..<50 { RawClient(path: server.path).send(json: #"{"verb":"list"}"#) }
    #expect(server.serves())
  }

  @Test func `a client that sends too slowly is told so and dropped, the others are served`() throws
  {
    var limits = ControlServerLimits()
    limits.frameSeconds = 0.3
    let server = try TestServer(limits: limits)
    let slow = RawClient(path: server.path)
    for byte in RawClient.frame(#"{"verb":"list"}"#) {
      #expect(server.serves())
      guard slow.send([byte]) else { break }
      letOthersRun(for: .milliseconds(60))
    }
    #expect(slow.receive()?.contains("did not arrive within 0.3 s") == true)
    #expect(slow.isClosed())
  }

  @Test func `a client that says nothing is dropped`() throws {
    var limits = ControlServerLimits()
    limits.idleSeconds = 0.1
    let server = try TestServer(limits: limits)
    #expect(RawClient(path: server.path).isClosed())
    #expect(server.serves())
  }

  @Test func `a client that does not take its answers is dropped, the others are served`() throws {
    var limits = ControlServerLimits()
    limits.writeSeconds = 0.2
    let server = try TestServer(limits: limits) { request in
      guard request is ListRequest else { return TestServer.answer(request) }
      return .failure(ControlFailure(.refused, message: String(repeating: "x", count: 3 << 20)))
    }
    let deaf = RawClient(path: server.path)
    deaf.send(json: #"{"verb":"list"}"#)
    #expect(server.serves())
    #expect(deaf.isHungUp())
    #expect(deaf.receive() == nil)
    #expect(server.serves())
  }

  @Test func `random bytes never stop the server`() throws {
    let server = try TestServer()
    let seed = TestSeed.drawn
    var random = seed.generator
    for _ in 0..<300 {
      let client = RawClient(path: server.path)
      let count = Int.random(in: 1...200, using: &random)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      if Bool.random(using: &random) {
        bytes.insert(contentsOf: [0, 0, 0, UInt8.random(in: 0...60, using: &random)], at: 0)
      }
      client.send(bytes)
    }
    #expect(server.serves(), "\(seed)")
  }
}
