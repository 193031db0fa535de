// SPDX-License-Identifier: MIT

import Glibc

/// The lock that decides which process owns a socket path: held as long as the process lives, so
/// that a socket without a lock is a dead process's. The file stays; removing it would let two
/// processes lock two files of one name.
final class SocketLock: Sendable {
  private let descriptor: FileDescriptor

  /// - Throws: ``ControlError`` `alreadyServing` with the owner's process id if another holds it.
  init(socketPath: String) throws(ControlError) {
    let path = socketPath + ".lock"
    let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else {
      let reason = errno
      throw ControlError(
        reason == EACCES || reason == EPERM ? .notPermitted : .system,
        message: "cannot open \(path): \(ErrorNumber(value: reason).text)",
        remedy: "use a folder that this user may write, or set WAXWING_SOCKET_DIR to one")
    }
    descriptor = FileDescriptor(owning: number)
    guard case .success = SystemCall.retrying({ flock(number, LOCK_EX | LOCK_NB) }) else {
      throw ControlError.alreadyServing(socketPath, pid: Self.owner(number))
    }
    let text = "\(getpid())\n"
    // The process id is for the other's message only; the lock itself does not need it.
    if ftruncate(number, 0) == 0 { _ = pwrite(number, text, text.utf8.count, 0) }
  }

  /// Unlocks before it closes: a child that a host thread has forked, and that has not become another
  /// program yet, holds the file open as well, and would hold the lock.
  deinit { flock(descriptor.number, LOCK_UN) }

  private static func owner(_ descriptor: Int32) -> Int32? {
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: buffer.prefix(count).prefix { $0 != 10 }, as: UTF8.self))
  }
}

extension ControlError {
  static func alreadyServing(_ path: String, pid: Int32?) -> ControlError {
    let owner = pid.map { $0 == getpid() ? "this process" : "process \($0)" } ?? "another process"
    return ControlError(
      .alreadyServing, message: "\(owner) already serves \(path)",
      remedy: "stop it, or listen on another path")
  }
}
