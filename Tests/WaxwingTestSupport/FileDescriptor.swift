// SPDX-License-Identifier: MIT

import Glibc

/// An open file, closed with its last reference.
final class FileDescriptor: Sendable {
  let number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }
}

extension FileDescriptor {
  /// A TCP connection to a port on 127.0.0.1.
  ///
  /// - Parameter timeout: How long any one send or receive may take, in seconds.
  static func connected(to port: UInt16, timeout: Int) throws -> FileDescriptor {
    let descriptor = FileDescriptor(
      try systemCall("socket") {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      })
    try descriptor.limitWaiting(to: timeout)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    try systemCall("connect to port \(port)") {
      withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    return descriptor
  }

  /// A connection to a Unix socket.
  ///
  /// - Parameter timeout: How long any one send or receive may take, in seconds.
  static func connected(toPath path: String, timeout: Int) throws -> FileDescriptor {
    let descriptor = FileDescriptor(
      try systemCall("socket") {
        socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      })
    try descriptor.limitWaiting(to: timeout)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { field in
      field.copyBytes(from: path.utf8.prefix(field.count - 1))
    }
    try systemCall("connect to \(path)") {
      withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    return descriptor
  }

  private func limitWaiting(to timeout: Int) throws {
    var limit = timeval(tv_sec: timeout, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      let size = socklen_t(MemoryLayout<timeval>.size)
      try systemCall("setsockopt") { setsockopt(number, SOL_SOCKET, option, &limit, size) }
    }
  }
}
