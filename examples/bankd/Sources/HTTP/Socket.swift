// SPDX-License-Identifier: MIT

import Foundation

/// A TCP socket, closed with its last reference.
final class Socket: Sendable {
  private let descriptor: Int32

  private init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }
}

// MARK: Listening

extension Socket {
  /// A socket that takes connections on 127.0.0.1.
  static func listening(on port: UInt16) throws(SystemError) -> Socket {
    let stream = Int32(SOCK_STREAM.rawValue)
    let listener = Socket(descriptor: try systemCall("socket") { socket(AF_INET, stream, 0) })

    var enabled: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    try systemCall("setsockopt") {
      setsockopt(listener.descriptor, SOL_SOCKET, SO_REUSEADDR, &enabled, size)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    try systemCall("bind to port \(port)") {
      withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(listener.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    try systemCall("listen") { listen(listener.descriptor, SOMAXCONN) }
    return listener
  }

  /// The port that the socket is bound to.
  func localPort() throws(SystemError) -> UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try systemCall("getsockname") {
      withUnsafeMutablePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getsockname(descriptor, $0, &length)
        }
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Waits for the next connection.
  func accept() throws(SystemError) -> Socket {
    Socket(descriptor: try systemCall("accept") { Glibc.accept(descriptor, nil, nil) })
  }
}

// MARK: Talking

extension Socket {
  /// Waits for bytes until `deadline`.
  ///
  /// - Returns: Nothing at the end of the stream, and nil when the time is up.
  func receive(atMost count: Int, until deadline: ContinuousClock.Instant) throws(SystemError)
    -> [UInt8]?
  {
    guard try isReady(for: POLLIN, until: deadline) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let received = try systemCall("recv") { recv(descriptor, &bytes, count, 0) }
    bytes.removeLast(count - received)
    return bytes
  }

  /// - Throws: `SystemError` with `ETIMEDOUT` if the peer has not taken it all by `deadline`.
  func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(SystemError) {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    var rest = bytes[...]
    while !rest.isEmpty {
      guard try isReady(for: POLLOUT, until: deadline) else {
        throw SystemError(call: "send", code: ETIMEDOUT)
      }
      let sent = try systemCall("send") {
        rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
      }
      rest = rest.dropFirst(sent)
    }
  }

  /// Whether the peer will send nothing more, and all that it sent has been read. Of a client that
  /// waits for its answer this means that it has gone.
  var isAbandoned: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
  }

  /// Ends the given direction for this process and for threads that wait in it.
  func shutDown(_ direction: Direction) {
    // Fails only when the peer has gone already, which is as good.
    shutdown(descriptor, direction.rawValue)
  }

  private func isReady(for event: Int32, until deadline: ContinuousClock.Instant)
    throws(SystemError) -> Bool
  {
    let left = max(.zero, ContinuousClock.now.duration(to: deadline))
    let (seconds, attoseconds) = left.components
    let milliseconds = Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return try systemCall("poll") { poll(&request, 1, milliseconds) } > 0
  }
}

extension Socket {
  /// A half of a connection.
  struct Direction {
    let rawValue: Int32

    static let receiving = Direction(rawValue: Int32(SHUT_RD))
    static let sending = Direction(rawValue: Int32(SHUT_WR))
    static let both = Direction(rawValue: Int32(SHUT_RDWR))
  }
}
