// SPDX-License-Identifier: MIT

internal import Glibc
internal import WaxwingSystem

/// The lock of a store: held by the running program, and by the tool while that is not running. The
/// file stays: removing it would let two processes lock two files of one name.
final class StoreLock: Sendable {
  private let descriptor: Int32

  init(_ folder: StoreFolder) throws(StoreError) {
    let path = "\(folder.path)/lock"
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC
    let number = try folder.calls.make(.create, path) {
      unsafe openat(folder.descriptor, "lock", flags, 0o600)
    }
    descriptor = number
    if case .failure(let error) = SystemCall.retrying({ flock(number, LOCK_EX | LOCK_NB) }) {
      let owner = Self.owner(descriptor)
      close(descriptor)
      guard error.wouldBlock else { throw .failed(.create, path, error.value) }
      throw StoreError(
        .locked, path: folder.path,
        message: "\(owner) uses the store \(folder.path)",
        remedy:
          "kept patches belong to that process; set WAXWING_STATE_DIR to give this one its own")
    }
    let text = "\(getpid())\n"
    // For the other's message only.
    if ftruncate(descriptor, 0) == 0 { _ = unsafe pwrite(descriptor, text, text.utf8.count, 0) }
  }

  /// Unlocks before it closes: a child that was forked, and is not another program yet, has the file
  /// open as well.
  deinit {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func owner(_ descriptor: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = unsafe pread(descriptor, &buffer, buffer.count, 0)
    let digits = buffer.prefix(max(0, count)).prefix { $0 != 10 }
    guard let pid = Int32(String(decoding: digits, as: UTF8.self)) else { return "another process" }
    return pid == getpid() ? "this process" : "process \(pid)"
  }
}
