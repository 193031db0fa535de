// SPDX-License-Identifier: MIT

/// Takes one request after the other from a connection.
struct HTTPRequestReader {
  private let socket: Socket
  private let limits: HTTPLimits
  /// What has arrived and is not yet part of a request.
  private var buffer: [UInt8] = []

  init(socket: Socket, limits: HTTPLimits) {
    self.socket = socket
    self.limits = limits
  }

  /// Waits for the next request.
  ///
  /// - Returns: Nil when the client is done: it hung up, or was idle for too long.
  /// - Throws: `HTTPError` for what should be answered, `SystemError` for a broken connection.
  mutating func next() throws -> HTTPRequest? {
    guard try waitForRequest() else { return nil }
    let deadline = ContinuousClock.now + limits.request
    let head = try readHead(until: deadline)
    let length = try head.bodyLength(limit: limits.body)
    if head.expectsContinue, buffer.count < length {
      try socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), until: deadline)
    }
    while buffer.count < length {
      try fill(until: deadline)
    }
    defer { buffer.removeFirst(length) }
    return HTTPRequest(head: head, body: Array(buffer.prefix(length)))
  }

  private mutating func waitForRequest() throws -> Bool {
    guard buffer.isEmpty else { return true }
    let deadline = ContinuousClock.now + limits.idle
    guard let bytes = try socket.receive(atMost: 16 * 1024, until: deadline) else { return false }
    buffer = bytes
    return !bytes.isEmpty
  }

  /// Adds at least one byte to the buffer.
  private mutating func fill(until deadline: ContinuousClock.Instant) throws {
    guard let bytes = try socket.receive(atMost: 16 * 1024, until: deadline) else {
      throw HTTPError.timeout
    }
    guard !bytes.isEmpty else { throw HTTPError.badRequest("the request ends half way") }
    buffer += bytes
  }
}

// MARK: The head, line by line, so that garbage is refused at its first line

extension HTTPRequestReader {
  private mutating func readHead(until deadline: ContinuousClock.Instant) throws
    -> HTTPRequestHead
  {
    var budget = limits.head
    var head = try HTTPRequestHead(requestLine: readLine(budget: &budget, until: deadline))
    for _ in 0...limits.headerFields {
      let line = try readLine(budget: &budget, until: deadline)
      if line.isEmpty { return head }
      try head.addField(line: line)
    }
    throw HTTPError.headTooLarge
  }

  /// - Returns: The next line, without its CR LF.
  private mutating func readLine(
    budget: inout Int, until deadline: ContinuousClock.Instant
  ) throws -> String {
    var checked = 0
    while true {
      while checked < min(buffer.count, budget) {
        if buffer[checked] == UInt8(ascii: "\n") {
          budget -= checked + 1
          return try takeLine(endingAt: checked)
        }
        guard Self.isAllowed(buffer[checked]) else {
          throw HTTPError.badRequest("the request holds control characters")
        }
        checked += 1
      }
      guard buffer.count < budget else { throw HTTPError.headTooLarge }
      try fill(until: deadline)
    }
  }

  private mutating func takeLine(endingAt end: Int) throws -> String {
    defer { buffer.removeFirst(end + 1) }
    guard end > 0, buffer[end - 1] == UInt8(ascii: "\r") else {
      throw HTTPError.badRequest("a line does not end in CR LF")
    }
    let bytes = buffer[..<(end - 1)]
    guard !bytes.contains(UInt8(ascii: "\r")) else {
      throw HTTPError.badRequest("a line does not end in CR LF")
    }
    guard let line = String(validating: bytes, as: UTF8.self) else {
      throw HTTPError.badRequest("the request is not valid UTF-8")
    }
    return line
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
  }
}
