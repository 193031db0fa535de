// SPDX-License-Identifier: MIT

import Glibc

/// A folder in which daemons have their control sockets.
package struct SocketDirectory: Hashable, Sendable {
  /// The folder of root's daemons. In it are folders of services that run as other users, as systemd
  /// makes them for `RuntimeDirectory=waxwing/NAME`.
  static let system = "/run/waxwing"

  /// The path of the folder.
  package let path: String

  /// Whether any user may own the folder, because the caller knows whose it is.
  let mayBeAnyones: Bool

  /// Takes a folder that the caller chose.
  package init(path: String) {
    self.path = path
    mayBeAnyones = true
  }

  /// The folder of this process's user: `$WAXWING_SOCKET_DIR`; for root `/run/waxwing`; otherwise
  /// `$XDG_RUNTIME_DIR/waxwing`, or `/tmp/waxwing-<uid>` if that is not set.
  package static func current() -> SocketDirectory {
    SocketDirectory(uid: geteuid(), system: system, environment: environment)
  }

  init(uid: UInt32, system: String, environment: (String) -> String?) {
    mayBeAnyones = environment("WAXWING_SOCKET_DIR") != nil
    if let chosen = environment("WAXWING_SOCKET_DIR") {
      path = chosen
    } else if uid == 0 {
      path = system
    } else if let runtime = environment("XDG_RUNTIME_DIR") {
      path = runtime + "/waxwing"
    } else {
      path = "/tmp/waxwing-\(uid)"
    }
  }

  /// A variable of this process; nil if it is not set or empty.
  static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The socket of a program: `<folder>/<program>.sock`, or of one of its instances:
  /// `<folder>/<program>@<instance>.sock`.
  /// - Throws: ``ControlError`` for a name that is not one, or a path that is too long.
  package func socketPath(
    for program: String, instance: String? = nil
  ) throws(ControlError) -> String {
    let name = try SocketName(program: program, instance: instance)
    return try SocketAddress(path: "\(path)/\(name.file)").path
  }

  /// The daemons that accept connections, or are too busy for that, ordered by name. Asks none of them
  /// anything, so it does not wait for one that is stuck.
  /// - Throws: ``ControlError`` if the folder could have been forged by another user.
  package func liveDaemons(timeout: Double = 1) throws(ControlError) -> [LiveDaemon] {
    var folder = stat()
    if unsafe lstat(path, &folder) != 0, errno == ENOENT { return [] }
    try SocketFolder.check(path, anyOwner: mayBeAnyones)
    DeadInstances.remove(in: path)
    let names = FolderListing.names(in: path).compactMap(SocketName.init(file:))
    return names.compactMap { daemon($0, folder, timeout) }.sorted { $0.name.text < $1.name.text }
  }

  private func daemon(_ name: SocketName, _ folder: stat, _ timeout: Double) -> LiveDaemon? {
    let path = "\(path)/\(name.file)"
    var socket = stat()
    guard unsafe lstat(path, &socket) == 0 else { return nil }
    do throws(ControlError) {
      let client = try ControlClient(path: path, timeout: timeout)
      // Links to other users' sockets are not theirs whose folder it is.
      let isOwners =
        client.peerUser == 0 || client.peerUser == folder.st_uid
        || (folder.st_uid == 0 && client.peerUser == socket.st_uid)
      guard isOwners else { return nil }
      return LiveDaemon(name: name, path: path, pid: client.peerID, uid: client.peerUser)
    } catch {
      guard error.code == .busy else { return nil }
      return LiveDaemon(name: name, path: path, pid: nil, uid: socket.st_uid)
    }
  }

  /// Whether something is at its path.
  package var isThere: Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Refuses a folder that another user could have forged.
  package func check() throws(ControlError) {
    try SocketFolder.check(path, anyOwner: mayBeAnyones)
  }

  /// The paths of all sockets in it, of dead daemons too, ordered by name. Those of killed instances that
  /// chose no name are removed.
  package var sockets: [String] {
    DeadInstances.remove(in: path)
    return FolderListing.names(in: path).filter { SocketName(file: $0) != nil }.sorted()
      .map { "\(path)/\($0)" }
  }

  /// Removes what instances have left that were killed and chose no name.
  package func removeDeadInstances() { DeadInstances.remove(in: path) }
}
