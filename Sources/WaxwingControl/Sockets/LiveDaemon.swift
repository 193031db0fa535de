// SPDX-License-Identifier: MIT

/// A control socket on which a daemon answers.
package struct LiveDaemon: Hashable, Sendable {
  /// The program's name and the instance's, from the socket's.
  package let name: SocketName

  /// The path of the socket.
  package let path: String

  /// The process that listens; nil: it is busy, and took no connection.
  package let pid: Int32?

  /// The user that the process runs as; of a busy one the socket's owner.
  package let uid: UInt32

  /// The name of the program.
  package var program: String { name.program }

  /// Whether a text that a user types means the daemon: its program's name, its own name, or its
  /// program's name followed by `@` and its process id.
  package func isMeant(by text: String) -> Bool {
    if text == program || text == name.text { return true }
    return pid.map { text == "\(program)@\($0)" } ?? false
  }
}
