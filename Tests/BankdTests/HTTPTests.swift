// SPDX-License-Identifier: MIT

import Glibc
import Testing
import WaxwingTestSupport

/// The protocol, spoken well and badly.
@Suite struct HTTPTests {
  @Test func `an answer has a length and says whether the connection lives on`() throws {
    let bankd = try Bankd()
    var client = try bankd.connect()
    let first = try client.request("GET", "/fees?amount=100")
    #expect(
      first.head == """
        HTTP/1.1 200 OK\r
        Content-Type: application/json\r
        Content-Length: 24\r
        Connection: keep-alive
        """)
    try client.send("GET /fees?amount=100 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(try client.answer().head.hasSuffix("Connection: close"))
    #expect(try client.isClosedByServer())
  }

  @Test func `requests sent in one go are answered in order`() throws {
    let bankd = try Bankd()
    var client = try bankd.connect()
    let requests = (1...3).map { "GET /fees?amount=\($0)0000 HTTP/1.1\r\nHost: x\r\n\r\n" }
    try client.send(requests.joined())
    var answers = ""
    for _ in requests { answers += try client.answer().body }
    #expect(
      answers == """
        {"amount":10000,"fee":150}
        {"amount":20000,"fee":300}
        {"amount":30000,"fee":450}

        """)
  }

  @Test func `a request may come byte by byte`() throws {
    let bankd = try Bankd()
    var client = try bankd.connect()
    for byte in "GET /fees?amount=%31000 HTTP/1.0\r\n\r\n".utf8 {
      try client.send([byte])
    }
    #expect(try client.answer().summary == #"200 {"amount":1000,"fee":25}"#)
    #expect(try client.isClosedByServer())
  }

  @Test func `a client that asks first is told to go on`() throws {
    let bankd = try Bankd()
    var client = try bankd.connect()
    try client.send(
      "POST /accounts HTTP/1.1\r\nHost: x\r\nContent-Length: 15\r\nExpect: 100-continue\r\n\r\n")
    #expect(try client.interimAnswer() == "HTTP/1.1 100 Continue")
    try client.send(#"{"owner":"Ada"}"#)
    #expect(try client.answer().status == 201)
  }

  @Test(
    arguments: [
      ("hello\r\n", 400, "this is not an HTTP request line"),
      ("GET /health\r\n", 400, "this is not an HTTP request line"),
      ("GET  /health HTTP/1.1\r\n", 400, "this is not an HTTP request line"),
      ("GET health HTTP/1.1\r\n", 400, "this is not an HTTP request line"),
      ("G(T /health HTTP/1.1\r\n", 400, "this is not an HTTP request line"),
      ("GET /%zz HTTP/1.1\r\n", 400, "the request target is not valid percent-encoded UTF-8"),
      ("GET /health HTTP/2.0\r\n", 505, "only HTTP/1.0 and HTTP/1.1 are spoken here"),
      ("GET /health HTTP/1.1\n", 400, "a line does not end in CR LF"),
      ("GET /health\rHTTP/1.1\r\n", 400, "a line does not end in CR LF"),
      ("\u{16}\u{3}\u{1}", 400, "the request holds control characters"),
      ("GET /health HTTP/1.1\r\nHost : x\r\n", 400, "a header field is malformed"),
      ("GET /health HTTP/1.1\r\n folded\r\n", 400, "a header field is malformed"),
      ("GET /health HTTP/1.1\r\n\r\n", 400, "the Host field is missing"),
      ("GET /hea", 400, "the request ends half way"),
      (
        "POST /accounts HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabc", 400,
        "the request ends half way"
      ),
      (
        "POST /accounts HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\n", 400,
        "the Content-Length is not a number"
      ),
      (
        "POST /accounts HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", 400,
        "the Content-Length is not a number"
      ),
      (
        "POST /accounts HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", 501,
        "a body needs a Content-Length; transfer codings are not supported"
      ),
      (
        "POST /accounts HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n", 413,
        "a body has at most 65536 bytes"
      ),
      (
        "POST /accounts HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n", 413,
        "a body has at most 65536 bytes"
      ),
    ])
  func `what is no request is answered once and hung up on`(
    request: String, status: Int, message: String
  ) throws {
    let bankd = try Bankd()
    var client = try bankd.connect()
    try client.send(request)
    client.finishSending()
    let answer = try client.answer()
    #expect(answer.summary == #"\#(status) {"error":"\#(message)"}"#)
    #expect(answer.head.hasSuffix("Connection: close"))
    #expect(try client.isClosedByServer())
    #expect(try bankd.ask("GET", "/fees?amount=2000") == #"200 {"amount":2000,"fee":30}"#)
  }

  @Test(
    arguments: [
      "GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "a", count: 9000))\r\n\r\n",
      "GET / HTTP/1.1\r\n\(String(repeating: "A: b\r\n", count: 100))\r\n",
    ])
  func `a head that is too large is refused`(request: String) throws {
    let bankd = try Bankd()
    var client = try bankd.connect()
    try client.send(request)
    #expect(
      try client.answer().summary
        == #"431 {"error":"the request line and header fields are too large"}"#)
  }

  @Test func `a body that is too large is refused unread, and the answer arrives`() throws {
    let bankd = try Bankd()
    let body = String(repeating: "x", count: 1_000_000)
    #expect(
      try bankd.ask("POST", "/accounts", body)
        == #"413 {"error":"a body has at most 65536 bytes"}"#)
  }

  @Test func `a body of the largest size is read`() throws {
    let bankd = try Bankd()
    let owner = String(repeating: "x", count: 65_536 - 12)
    #expect(
      try bankd.ask("POST", "/accounts", #"{"owner":"\#(owner)"}"#)
        == #"422 {"error":"an owner's name has 1 to 100 characters"}"#)
  }

  @Test func `a client that hangs up in the middle costs nothing`() throws {
    let bankd = try Bankd()
    for _ in 0..<50 {
      let client = try bankd.connect()
      try client.send("POST /accounts HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{")
    }
    #expect(
      try bankd.ask("GET", "/health")
        == #"200 {"accounts":0,"pid":\#(bankd.process.pid),"status":"ok"}"#)
  }
}
