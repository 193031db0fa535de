// SPDX-License-Identifier: MIT

/// A control socket that somebody answers on.
package struct LiveDaemon: Hashable, Sendable {
  /// The program's name, from the socket's.
  package let program: String

  /// The socket's path.
  package let path: String

  /// The process that listens; nil: it is busy, and took no connection.
  package let pid: Int32?
}
