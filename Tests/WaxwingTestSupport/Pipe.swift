// SPDX-License-Identifier: MIT

import Glibc

/// Both ends of a pipe, which are closed in every child that is not given them.
struct Pipe {
  /// The end to read from.
  let output: FileDescriptor
  /// The end to write to.
  let input: FileDescriptor

  /// Makes a pipe; no child may be started at the same time, as `pipe2` is not there for Swift.
  static func open() throws -> Pipe {
    var ends: [Int32] = [-1, -1]
    try systemCall("pipe") { pipe(&ends) }
    let both = Pipe(output: FileDescriptor(ends[0]), input: FileDescriptor(ends[1]))
    for end in ends {
      try systemCall("fcntl") { fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    return both
  }

  /// Waits until there is something to read in one of `ends`, or one has come to its own end.
  static func wait(for ends: [FileDescriptor]) {
    var open = ends.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
    while poll(&open, nfds_t(open.count), -1) < 0, errno == EINTR {}
  }
}

extension FileDescriptor {
  /// Reads what is there, without waiting.
  /// - Parameter bytes: What has been read is appended.
  /// - Returns: Whether more may come.
  func readAvailable(into bytes: inout [UInt8]) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      var end = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      guard poll(&end, 1, 0) > 0 else { return true }
      let count = read(number, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk.prefix(count)
      } else if count == 0 || errno != EINTR {
        return false
      }
    }
  }
}
