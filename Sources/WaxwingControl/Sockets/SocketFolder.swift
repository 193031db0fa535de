// SPDX-License-Identifier: MIT

import Glibc
import WaxwingSystem

/// Makes and checks the folder that a socket is in: whoever can write there can put another
/// socket in its place.
package enum SocketFolder {
  /// Creates the folder, closed to others, if it is not there; refuses one that others can change.
  /// - Parameter system: The one that others may go through, as services of other users have theirs in it.
  package static func prepare(
    _ path: String, system: String = SocketDirectory.system
  ) throws(ControlError) {
    if unsafe mkdir(path, 0o700) == 0 {
      if path == system { unsafe chmod(path, 0o755) }
    } else if errno != EEXIST {
      throw cannotCreate(path, errno)
    }
    try check(path)
  }

  /// Lets a group's members reach a socket that is private so far: the folder gets mode 0750, unless
  /// it is open already, and the socket 0660.
  /// - Returns: Why that cannot be, a sentence; nil: it is done.
  static func open(_ path: String, socket: String, to group: UInt32) -> String? {
    let unchanged = UInt32.max
    var folder = stat()
    guard unsafe lstat(path, &folder) == 0 else { return problem(path, group, errno) }
    if folder.st_mode & 0o001 == 0, folder.st_gid != group || folder.st_mode & 0o010 == 0 {
      guard folder.st_mode & 0o070 == 0 else {
        return "the socket folder \(path) is open to group \(folder.st_gid), not to \(group)"
      }
      guard unsafe lchown(path, unchanged, group) == 0, unsafe chmod(path, 0o750) == 0 else {
        return problem(path, group, errno)
      }
    }
    guard unsafe lchown(socket, unchanged, group) == 0, unsafe chmod(socket, 0o660) == 0 else {
      return problem(socket, group, errno)
    }
    return nil
  }

  private static func problem(_ path: String, _ group: UInt32, _ number: Int32) -> String {
    "\(path) cannot be given to group \(group): \(ErrorNumber(value: number).text)"
  }

  /// Whether a file's owner shares it with a group of this process, and with no other users.
  static func isSharedWithUs(_ status: stat) -> Bool {
    guard status.st_mode & 0o007 == 0, status.st_mode & 0o070 != 0 else { return false }
    if status.st_gid == getegid() { return true }
    let count = getgroups(0, nil)
    guard count > 0 else { return false }
    var groups = [gid_t](repeating: 0, count: Int(count))
    let found = unsafe getgroups(count, &groups)
    return found > 0 && groups.prefix(Int(found)).contains(status.st_gid)
  }

  /// Refuses a folder that is a link, belongs to another user, or is writable for others.
  /// - Parameter anyOwner: Whether any user's folder is accepted, because the caller that named it
  ///   knows its owner.
  static func check(_ path: String, anyOwner: Bool = false) throws(ControlError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw cannotCreate(path, errno) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFDIR else {
      throw unsafe(path, kind == S_IFLNK ? "is a symbolic link" : "is not a folder")
    }
    let isOurs = status.st_uid == geteuid() || status.st_uid == 0
    guard isOurs || anyOwner else {
      let what = "belongs to another user (uid \(status.st_uid))"
      guard geteuid() == 0 else { throw unsafe(path, what) }
      throw unsafe(
        path, what,
        remedy:
          "a daemon of root needs a folder of root; the tool reaches that user's daemons with "
          + "WAXWING_SOCKET_DIR=\(path)")
    }
    // In a sticky folder such as /tmp, others can add files and not remove ours.
    let isSticky = status.st_mode & S_ISVTX != 0
    guard status.st_mode & 0o022 == 0 || isSticky else {
      let mode = "0" + String(status.st_mode & 0o7777, radix: 8)
      throw unsafe(
        path,
        "can be written by other users: it belongs to uid \(status.st_uid), with mode \(mode)",
        remedy: "chmod go-w \(path)")
    }
  }

  private static func unsafe(
    _ path: String, _ what: String,
    remedy: String = "use a folder of your own with mode 0700, or set WAXWING_SOCKET_DIR to one"
  ) -> ControlError {
    ControlError(
      .unsafePath, message: "the socket folder \(path) \(what)", remedy: remedy)
  }

  private static func cannotCreate(_ path: String, _ number: Int32) -> ControlError {
    ControlError(
      number == EACCES || number == EPERM ? .notPermitted : .system,
      message: "cannot create the socket folder \(path): \(ErrorNumber(value: number).text)",
      remedy: "create it, or set WAXWING_SOCKET_DIR to a folder of your own")
  }
}
