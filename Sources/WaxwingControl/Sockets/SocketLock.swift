// SPDX-License-Identifier: MIT

import Glibc
import WaxwingSystem

/// The lock that decides which process owns a socket path: held as long as the process lives, so
/// that a socket without a lock is a dead process's.
///
/// Only who holds the lock may remove its file, and who gets a lock checks that its file is still there:
/// so two processes never hold two files of one name.
final class SocketLock: Sendable {
  private let descriptor: FileDescriptor
  private let path: String

  /// - Throws: ``ControlError`` `alreadyServing` with the owner's process id if another holds it.
  convenience init(socketPath: String) throws(ControlError) {
    while true {
      let path = socketPath + ".lock"
      let number = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard number >= 0 else { throw Self.cannotOpen(path, errno) }
      let descriptor = FileDescriptor(owning: number)
      guard case .success = SystemCall.retrying({ flock(number, LOCK_EX | LOCK_NB) }) else {
        throw ControlError.alreadyServing(socketPath, pid: Self.owner(number))
      }
      guard Self.isInPlace(number, path) else { continue }
      let text = "\(getpid())\n"
      // The process id is for the other's message only; the lock itself does not need it.
      if ftruncate(number, 0) == 0 { _ = unsafe pwrite(number, text, text.utf8.count, 0) }
      self.init(descriptor, path)
      return
    }
  }

  private init(_ descriptor: consuming FileDescriptor, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Takes the lock of a process that has ended.
  /// - Returns: nil if it lives, or there is no such lock.
  static func ofDead(socketPath: String) -> SocketLock? {
    let path = socketPath + ".lock"
    let number = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else { return nil }
    let descriptor = FileDescriptor(owning: number)
    guard case .success = SystemCall.retrying({ flock(number, LOCK_EX | LOCK_NB) }),
      isInPlace(number, path)
    else { return nil }
    return SocketLock(descriptor, path)
  }

  /// Unlocks before it closes: a child that a host thread has forked, and that has not become another
  /// program yet, holds the file open as well, and would hold the lock.
  deinit { flock(descriptor.number, LOCK_UN) }

  /// Removes the file, so that this lock can only be taken again with a new file.
  func remove() { unsafe unlink(path) }

  private static func isInPlace(_ descriptor: Int32, _ path: String) -> Bool {
    var (own, there) = (stat(), stat())
    guard unsafe fstat(descriptor, &own) == 0, unsafe lstat(path, &there) == 0 else { return false }
    return own.st_ino == there.st_ino && own.st_dev == there.st_dev
  }

  private static func cannotOpen(_ path: String, _ reason: Int32) -> ControlError {
    ControlError(
      reason == EACCES || reason == EPERM ? .notPermitted : .system,
      message: "cannot open \(path): \(ErrorNumber(value: reason).text)",
      remedy: "use a folder that this user can write to, or set WAXWING_SOCKET_DIR to one")
  }

  private static func owner(_ descriptor: Int32) -> Int32? {
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = unsafe pread(descriptor, &buffer, buffer.count, 0)
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
