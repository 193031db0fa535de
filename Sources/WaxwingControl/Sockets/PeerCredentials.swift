// SPDX-License-Identifier: MIT

import Glibc

/// Who is at the other end of a Unix socket, as the kernel noted it when they connected.
struct PeerCredentials: Hashable, Sendable {
  /// Linux's `struct ucred`, which Glibc shows to C only with `_GNU_SOURCE`.
  private struct Record {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0
  }

  let pid: Int32
  let uid: UInt32

  /// Nil if the descriptor is no connected Unix socket.
  init?(of descriptor: Int32) {
    var record = Record()
    var length = socklen_t(MemoryLayout<Record>.size)
    let result = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &record, &length)
    guard result == 0, length == MemoryLayout<Record>.size else { return nil }
    pid = record.pid
    uid = record.uid
  }

  /// Control of a process belongs to its user and to root.
  var mayControlThisProcess: Bool { uid == geteuid() || uid == 0 }
}
