// SPDX-License-Identifier: MIT

import Glibc

/// The folder in which daemons have their control sockets unless they say otherwise.
package struct SocketDirectory: Hashable, Sendable {
  /// The folder's path.
  package let path: String

  /// Whether the user named it, and so knows whose it is.
  private let isChosen: Bool

  /// Takes a folder that the caller chose.
  package init(path: String) {
    self.path = path
    isChosen = true
  }

  /// The folder of this process's user: `$WAXWING_SOCKET_DIR`; for root `/run/waxwing`; else
  /// `$XDG_RUNTIME_DIR/waxwing`, or `/tmp/waxwing-<uid>` where there is none.
  package static func current() -> SocketDirectory {
    SocketDirectory(uid: geteuid()) { name in
      guard let value = getenv(name) else { return nil }
      let text = String(cString: value)
      return text.isEmpty ? nil : text
    }
  }

  init(uid: UInt32, environment: (String) -> String?) {
    isChosen = environment("WAXWING_SOCKET_DIR") != nil
    if let chosen = environment("WAXWING_SOCKET_DIR") {
      path = chosen
    } else if uid == 0 {
      path = "/run/waxwing"
    } else if let runtime = environment("XDG_RUNTIME_DIR") {
      path = runtime + "/waxwing"
    } else {
      path = "/tmp/waxwing-\(uid)"
    }
  }

  /// The socket of a program: `<folder>/<program>.sock`.
  /// - Throws: ``ControlError`` for a name that is not one, or a path that is too long.
  package func socketPath(for program: String) throws(ControlError) -> String {
    let isName = !program.isEmpty && !program.hasPrefix(".") && !program.contains("/")
    guard isName, !program.utf8.contains(0) else {
      throw ControlError(
        .unsafePath, message: "'\(program)' is not a program's name",
        remedy: "give the name only; for a path use --socket")
    }
    return try SocketAddress(path: "\(path)/\(program).sock").path
  }

  /// The daemons that accept connections, or are too busy for that, ordered by name. Asks none of them
  /// anything, so it does not wait for one that is stuck.
  /// - Throws: ``ControlError`` if the folder could have been forged by another user.
  package func liveDaemons() throws(ControlError) -> [LiveDaemon] {
    var status = stat()
    if lstat(path, &status) != 0, errno == ENOENT { return [] }
    try SocketFolder.check(path, sharing: isChosen)
    var daemons: [LiveDaemon] = []
    for name in FolderListing.names(in: path) where name.hasSuffix(".sock") {
      let socket = "\(path)/\(name)"
      let program = String(name.dropLast(5))
      do throws(ControlError) {
        let client = try ControlClient(path: socket, timeout: 1)
        daemons.append(LiveDaemon(program: program, path: socket, pid: client.peerID))
      } catch {
        guard error.code == .busy else { continue }
        daemons.append(LiveDaemon(program: program, path: socket, pid: nil))
      }
    }
    return daemons.sorted { $0.program < $1.program }
  }
}
