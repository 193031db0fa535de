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

  /// Reads from all of `ends` until each has come to its own end.
  static func drain(_ ends: FileDescriptor..., into consume: (Int32, [UInt8]) -> Void) {
    var open = ends.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    while !open.isEmpty {
      guard poll(&open, nfds_t(open.count), -1) > 0 else { continue }
      for end in open where end.revents != 0 {
        let count = read(end.fd, &bytes, bytes.count)
        if count > 0 {
          consume(end.fd, Array(bytes.prefix(count)))
        } else if count == 0 || errno != EINTR {
          open.removeAll { $0.fd == end.fd }
        }
      }
    }
  }
}
