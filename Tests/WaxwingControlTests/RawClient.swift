// SPDX-License-Identifier: MIT

import Glibc

/// A client that sends whatever a test wants, in whatever pieces, and never blocks for long.
final class RawClient {
  let descriptor: Int32

  init(path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    precondition(result == 0, "the test's server is not there")
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
  }

  deinit { close(descriptor) }

  /// Sends bytes as they are; false if the server has closed or does not take them in time.
  @discardableResult
  func send(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Sends a frame of JSON.
  @discardableResult
  func send(json: String) -> Bool { send(Self.frame(json)) }

  static func frame(_ json: String) -> [UInt8] {
    let count = UInt32(json.utf8.count)
    return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + Array(json.utf8)
  }

  /// The JSON of the next frame; nil at the end of the stream or after 10 s.
  func receive() -> String? {
    guard let header = receive(4) else { return nil }
    let length = header.reduce(0) { $0 << 8 | Int($1) }
    return receive(length).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether the server has closed the connection, waiting up to 10 s for it.
  func isClosed() -> Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, 0) <= 0 && errno != EAGAIN
  }

  /// Whether the server has closed the connection, waiting up to 30 s for it and taking nothing of
  /// what has arrived.
  func isHungUp() -> Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&entry, 1, 30_000) == 1 && Int32(entry.revents) & POLLHUP != 0
  }

  private func receive(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var buffer = [UInt8](repeating: 0, count: count - bytes.count)
      let received = recv(descriptor, &buffer, buffer.count, 0)
      guard received > 0 else { return nil }
      bytes += buffer[..<received]
    }
    return bytes
  }
}

extension RawClient {
  /// Connects without waiting and closes again; false if the server's queue is full.
  static func connectAndLeave(_ path: String) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    } == 0
  }
}
