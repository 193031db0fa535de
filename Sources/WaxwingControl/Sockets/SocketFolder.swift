// SPDX-License-Identifier: MIT

import Glibc

/// Makes and checks the folder that a socket is in: whoever can write there can put another
/// socket in its place.
enum SocketFolder {
  /// Creates the folder, closed to others, if it is not there; refuses one that others can change.
  static func prepare(_ path: String) throws(ControlError) {
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw cannotCreate(path, errno)
    }
    try check(path)
  }

  /// Refuses a folder that is a link, somebody else's, or writable for others.
  static func check(_ path: String) throws(ControlError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw cannotCreate(path, errno) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFDIR else {
      throw unsafe(path, kind == S_IFLNK ? "is a symbolic link" : "is not a folder")
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw unsafe(path, "belongs to another user (uid \(status.st_uid))")
    }
    // In a sticky folder such as /tmp, others can add files and not remove ours.
    let isSticky = status.st_mode & S_ISVTX != 0
    guard status.st_mode & 0o022 == 0 || isSticky else {
      throw unsafe(path, "can be written by other users")
    }
  }

  private static func unsafe(_ path: String, _ what: String) -> ControlError {
    ControlError(
      .unsafePath, message: "the socket folder \(path) \(what)",
      remedy: "use a folder of your own with mode 0700, or set WAXWING_SOCKET_DIR to one")
  }

  private static func cannotCreate(_ path: String, _ number: Int32) -> ControlError {
    ControlError(
      number == EACCES || number == EPERM ? .notPermitted : .system,
      message: "cannot create the socket folder \(path): \(ErrorNumber(value: number).text)",
      remedy: "create it, or set WAXWING_SOCKET_DIR to a folder of your own")
  }
}
