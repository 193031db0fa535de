// SPDX-License-Identifier: MIT

import Glibc

/// Makes system calls that signals may interrupt, and returns their result or the error number,
/// which is read before any other code could change it.
package enum SystemCall {
  /// Calls until no signal interrupts.
  package static func retrying(_ call: () -> Int) -> Result<Int, ErrorNumber> {
    while true {
      let result = call()
      if result >= 0 { return .success(result) }
      let number = errno
      if number != EINTR { return .failure(ErrorNumber(value: number)) }
    }
  }

  package static func retrying(_ call: () -> Int32) -> Result<Int, ErrorNumber> {
    retrying { Int(call()) }
  }

  /// Waits for events of `poll` on a descriptor: those that came; nil: none came before the deadline.
  package static func wait(
    for events: Int32, on descriptor: Int32, until deadline: Deadline
  ) -> Int32? {
    var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    let count = retrying { unsafe poll(&request, 1, deadline.pollTimeout) }
    guard case .success(1...) = count else { return nil }
    return Int32(request.revents)
  }

  /// Reads on from where the file stands: to its end, or until there are more than `limit` bytes.
  package static func readAll(
    _ descriptor: Int32, limit: Int = .max - 1
  ) throws(ErrorNumber) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while bytes.count <= limit {
      let count = try retrying { unsafe read(descriptor, &buffer, buffer.count) }.get()
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// Writes all bytes, in as many calls as that takes.
  package static func writeAll(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32
  ) throws(ErrorNumber) {
    try unsafe all(of: bytes) { unsafe write(descriptor, $0, $1) }
  }

  /// Sends all bytes to a socket that blocks. Never raises SIGPIPE.
  package static func sendAll(
    _ bytes: ArraySlice<UInt8>, to socket: Int32
  ) throws(ErrorNumber) {
    try unsafe all(of: bytes) { unsafe send(socket, $0, $1, Int32(MSG_NOSIGNAL)) }
  }

  private static func all(
    of bytes: ArraySlice<UInt8>, _ put: (UnsafeRawPointer?, Int) -> Int
  ) throws(ErrorNumber) {
    var rest = bytes
    while !rest.isEmpty {
      let count = try retrying {
        unsafe rest.withUnsafeBytes { unsafe put($0.baseAddress, $0.count) }
      }.get()
      if count == 0 { throw ErrorNumber(value: ENOSPC) }
      rest = rest.dropFirst(count)
    }
  }
}
