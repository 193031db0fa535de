// SPDX-License-Identifier: MIT

import Glibc

/// A connection to a Unix socket, to send it what no honest client would.
package struct UnixClient: ~Copyable {
  private let socket: FileDescriptor

  /// - Parameter timeout: How long any one send or receive may take, in seconds.
  package init(path: String, timeout: Int = 20) throws {
    socket = try .connected(toPath: path, timeout: timeout)
  }

  /// Sends bytes as they are.
  package func send(_ bytes: [UInt8]) throws {
    try systemCall("send") { Glibc.send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
  }

  /// Takes what comes next; nothing at the end of the stream.
  package func receive() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16 * 1024)
    let count = try systemCall("recv") { recv(socket.number, &bytes, bytes.count, 0) }
    return Array(bytes.prefix(count))
  }
}
