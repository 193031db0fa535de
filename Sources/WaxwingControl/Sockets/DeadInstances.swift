// SPDX-License-Identifier: MIT

import Glibc

/// Removes files of killed instances that are named by their process ids: nothing else would ever
/// replace these.
enum DeadInstances {
  /// Removes their sockets and locks from a folder of this process's user; a no-op for other folders.
  static func remove(in folder: String) {
    var status = stat()
    guard unsafe lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid()
    else { return }
    let sockets = Set(
      FolderListing.names(in: folder).map { $0.hasSuffix(".lock") ? String($0.dropLast(5)) : $0 })
    for file in sockets where SocketName(file: file)?.isOfProcess == true {
      remove("\(folder)/\(file)")
    }
  }

  private static func remove(_ path: String) {
    guard let lock = SocketLock.ofDead(socketPath: path) else { return }
    var status = stat()
    if unsafe lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK, !isServed(path) else { return }
      unsafe unlink(path)
    }
    lock.remove()
  }

  /// Whether a process listens that has lost its lock.
  private static func isServed(_ path: String) -> Bool {
    guard let address = try? SocketAddress(path: path),
      let probe = try? FileDescriptor.streamSocket()
    else { return true }
    return unsafe address.withPointer { unsafe connect(probe.number, $0, $1) } == 0
      || errno != ECONNREFUSED
  }
}
