// SPDX-License-Identifier: MIT

internal import Glibc

/// The process at the other end of a Unix socket, as the kernel noted it when it connected.
package struct ControlPeer: Hashable, Sendable {
  /// Linux's `struct ucred`, which Glibc shows to C only with `_GNU_SOURCE`.
  private struct Record {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0
  }

  /// `SO_PEERGROUPS` of asm-generic/socket.h, which Glibc shows with `_DEFAULT_SOURCE` only.
  private static let peerGroups: Int32 = 59

  /// The most groups that Linux gives a process, `NGROUPS_MAX`.
  private static let mostGroups = 65536

  /// The process id of the peer.
  package let pid: Int32

  /// The user id of the peer.
  package let uid: UInt32

  /// The group id of the peer.
  let gid: UInt32

  /// The ids of the peer's supplementary groups.
  let groups: Set<UInt32>

  /// Creates a peer, for tests.
  package init(pid: Int32, uid: UInt32, gid: UInt32, groups: Set<UInt32> = []) {
    self.pid = pid
    self.uid = uid
    self.gid = gid
    self.groups = groups
  }

  /// Nil if the descriptor is no connected Unix socket.
  init?(of descriptor: Int32) {
    var record = Record()
    var length = socklen_t(MemoryLayout<Record>.size)
    let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &record, &length)
    guard result == 0, length == MemoryLayout<Record>.size else { return nil }
    pid = record.pid
    uid = record.uid
    gid = record.gid
    groups = Self.groups(of: descriptor)
  }

  /// A client whose groups cannot be read has none: that gives it less, never more.
  private static func groups(of descriptor: Int32) -> Set<UInt32> {
    var count = 64
    while count <= mostGroups {
      var found = [UInt32](repeating: 0, count: count)
      var length = socklen_t(count * MemoryLayout<UInt32>.stride)
      if unsafe getsockopt(descriptor, SOL_SOCKET, peerGroups, &found, &length) == 0 {
        return Set(found.prefix(Int(length) / MemoryLayout<UInt32>.stride))
      }
      guard errno == ERANGE else { return [] }
      count = max(count * 2, Int(length) / MemoryLayout<UInt32>.stride)
    }
    return []
  }

  /// The user and the groups of the peer, each of which may have a role.
  var principals: Set<ControlPrincipal> {
    Set([.user(uid), .group(gid)] + groups.map(ControlPrincipal.group))
  }
}
