// SPDX-License-Identifier: MIT

import Glibc

/// One connection to an HTTP server on 127.0.0.1, which can also send what is no HTTP at all.
package struct HTTPClient: ~Copyable {
  private let socket: FileDescriptor
  private var received: [UInt8] = []

  /// - Parameter timeout: How long any one send or receive may take, in seconds.
  package init(port: UInt16, timeout: Int = 20) throws {
    socket = try .connected(to: port, timeout: timeout)
  }

  /// Sends a request and takes its answer; the connection stays open for the next.
  package mutating func request(_ method: String, _ path: String, body: String? = nil) throws
    -> HTTPAnswer
  {
    var text = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
    if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
    try send("\(text)\r\n\(body ?? "")")
    return try answer()
  }

  /// Sends bytes as they are.
  package func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = try systemCall("send") {
        rest.withUnsafeBytes {
          Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
      }
      rest = rest.dropFirst(sent)
    }
  }

  /// Sends text as it is: line ends are up to the caller.
  package func send(_ text: String) throws {
    try send(Array(text.utf8))
  }

  /// Says that nothing more will be sent.
  package func finishSending() {
    shutdown(socket.number, Int32(SHUT_WR))
  }

  /// Takes the next answer; it has to have a Content-Length.
  package mutating func answer() throws -> HTTPAnswer {
    let end = try receiveHead()
    let head = String(decoding: received[..<end], as: UTF8.self)
    let lines = head.split(separator: "\r\n")
    let lengthField = lines.first { $0.lowercased().hasPrefix("content-length: ") }
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }),
      let length = lengthField?.split(separator: " ").last.flatMap({ Int($0) })
    else {
      throw TestSupportError("this is no answer: \(head)")
    }
    let bodyStart = end + 4
    while received.count < bodyStart + length {
      guard try receive() else { throw TestSupportError("the answer ends half way: \(head)") }
    }
    let body = String(decoding: received[bodyStart..<(bodyStart + length)], as: UTF8.self)
    received.removeFirst(bodyStart + length)
    return HTTPAnswer(status: status, head: head, body: body)
  }

  /// Takes an answer that only announces another, such as `HTTP/1.1 100 Continue`.
  ///
  /// - Returns: Its head.
  package mutating func interimAnswer() throws -> String {
    let end = try receiveHead()
    defer { received.removeFirst(end + 4) }
    return String(decoding: received[..<end], as: UTF8.self)
  }

  /// Waits for the server to hang up.
  ///
  /// - Returns: Whether it did so without sending anything more.
  package mutating func isClosedByServer() throws -> Bool {
    guard received.isEmpty else { return false }
    return try !receive()
  }

  /// - Returns: False at the end of the stream.
  private mutating func receive() throws -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16 * 1024)
    let number = socket.number
    let count = try systemCall("recv") { recv(number, &bytes, bytes.count, 0) }
    received += bytes.prefix(count)
    return count > 0
  }

  /// - Returns: Where the empty line after the head begins.
  private mutating func receiveHead() throws -> Int {
    while true {
      if let end = headEnd() { return end }
      guard try receive() else { throw TestSupportError("the server hung up without an answer") }
    }
  }

  private func headEnd() -> Int? {
    let mark = Array("\r\n\r\n".utf8)
    guard received.count >= mark.count else { return nil }
    return (0...(received.count - mark.count)).first { received[$0..<($0 + 4)].elementsEqual(mark) }
  }
}
