// SPDX-License-Identifier: MIT

import Glibc
import WaxwingSystem

/// The daemon's end of a control socket: bound, private, removed when the owner goes.
final class ListeningSocket: Sendable {
  let descriptor: FileDescriptor
  private let address: SocketAddress
  private let lock: SocketLock
  // Which file is ours, so that never another's is removed.
  private let inode: ino_t
  /// Why the socket is not open to the group that it should be open to.
  let groupTrouble: String?

  /// Binds the path, replacing the socket of a dead process.
  /// - Parameter group: Whose members may connect; nil: this process's user alone.
  init(path: String, group: UInt32? = nil) throws(ControlError) {
    address = try SocketAddress(path: path)
    try SocketFolder.prepare(address.folder)
    lock = try SocketLock(socketPath: path)
    try Self.removeStale(address)
    let socket = try FileDescriptor.streamSocket()
    try Self.bind(socket.number, to: address)
    let folder = address.folder
    groupTrouble = group.flatMap { SocketFolder.open(folder, socket: path, to: $0) }
    guard listen(socket.number, 128) == 0 else {
      let number = errno
      unsafe unlink(path)
      throw ControlError.system("listen", number, "cannot listen on \(path)")
    }
    var status = stat()
    inode = unsafe lstat(path, &status) == 0 ? status.st_ino : 0
    descriptor = socket
  }

  deinit {
    var status = stat()
    if unsafe lstat(address.path, &status) == 0, status.st_ino == inode {
      unsafe unlink(address.path)
    }
    if SocketName(file: address.file)?.isOfProcess == true { lock.remove() }
  }

  /// The next client; nil if there is none.
  func accept() -> Result<FileDescriptor?, ErrorNumber> {
    let result = SystemCall.retrying { Glibc.accept(descriptor.number, nil, nil) }
    switch result {
    case .failure(let error):
      return error.wouldBlock || error.value == ECONNABORTED ? .success(nil) : .failure(error)
    case .success(let value):
      let number = Int32(value)
      // Glibc shows `accept4` to C only with _GNU_SOURCE. A child that a host thread forks between
      // the two calls inherits the connection; closing it shuts it down for both.
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      _ = fcntl(number, F_SETFL, O_NONBLOCK)
      return .success(FileDescriptor(owning: number))
    }
  }

  /// Removes a socket on which no process answers. Called with the lock held.
  private static func removeStale(_ address: SocketAddress) throws(ControlError) {
    var status = stat()
    guard unsafe lstat(address.path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw ControlError(
        .unsafePath, message: "\(address.path) is there and is not a socket",
        remedy: "move it away, or listen on another path")
    }
    guard status.st_uid == geteuid() || geteuid() == 0 else {
      throw ControlError(
        .notPermitted, message: "\(address.path) belongs to another user (uid \(status.st_uid))",
        remedy: "listen on another path")
    }
    let probe = try FileDescriptor.streamSocket()
    let result = unsafe address.withPointer { unsafe connect(probe.number, $0, $1) }
    let number = errno
    // EAGAIN: somebody listens and is too busy to take one more client.
    if result == 0 || number == EAGAIN {
      throw ControlError.alreadyServing(
        address.path, pid: ControlPeer(of: probe.number).flatMap { $0.pid > 0 ? $0.pid : nil })
    }
    guard unsafe unlink(address.path) == 0 || errno == ENOENT else {
      throw ControlError.system("unlink", errno, "cannot replace the dead socket \(address.path)")
    }
  }

  /// A socket file gets the mode of its socket less the process's umask, so the file is private
  /// from its first moment without a change of the umask, which all threads of the host share.
  private static func bind(_ number: Int32, to address: SocketAddress) throws(ControlError) {
    guard fchmod(number, 0o600) == 0 else {
      throw ControlError.system("fchmod", errno, "cannot make the socket private")
    }
    let result = unsafe address.withPointer { unsafe Glibc.bind(number, $0, $1) }
    guard result == 0 else {
      let reason = errno
      throw ControlError(
        reason == EACCES || reason == EPERM ? .notPermitted : .system,
        message: "cannot listen on \(address.path): \(ErrorNumber(value: reason).text)",
        remedy: "use a folder that this user can write to, or set WAXWING_SOCKET_DIR to one")
    }
    // A umask may forbid even the owner.
    var status = stat()
    if unsafe lstat(address.path, &status) == 0, status.st_mode & 0o600 != 0o600 {
      _ = unsafe chmod(address.path, 0o600)
    }
  }
}
