// SPDX-License-Identifier: MIT

import WaxwingSystem

/// Why a control socket could not be opened, reached or talked to.
package struct ControlError: Error, Hashable, Sendable {
  /// The kind of failure.
  package let code: Code

  /// The error in one sentence, with the path and the numbers that matter.
  package let message: String

  /// The remedy in one sentence.
  package let remedy: String

  /// Creates an error.
  package init(_ code: Code, message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }
}

extension ControlError {
  /// The kinds of failure; more may be added.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case pathTooLong, unsafePath, alreadyServing, noDaemon, staleSocket, notPermitted, timedOut
      case busy
      case protocolViolation, closed, system
    }

    private let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// The path does not fit a socket address.
    package static var pathTooLong: Code { Code(.pathTooLong) }
    /// Other users could replace the socket, or something else is at its path.
    package static var unsafePath: Code { Code(.unsafePath) }
    /// Another process serves this socket.
    package static var alreadyServing: Code { Code(.alreadyServing) }
    /// There is no socket at the path.
    package static var noDaemon: Code { Code(.noDaemon) }
    /// The socket is there and its daemon is gone.
    package static var staleSocket: Code { Code(.staleSocket) }
    /// The socket belongs to another user.
    package static var notPermitted: Code { Code(.notPermitted) }
    /// The other end did not answer in time.
    package static var timedOut: Code { Code(.timedOut) }
    /// The daemon is there, and took no connection in time.
    package static var busy: Code { Code(.busy) }
    /// The other end does not speak the protocol.
    package static var protocolViolation: Code { Code(.protocolViolation) }
    /// The other end closed the connection before it answered.
    package static var closed: Code { Code(.closed) }
    /// A system call failed.
    package static var system: Code { Code(.system) }

    /// The word for the kind of error.
    package var description: String { kind.rawValue }
  }
}

extension ControlError: CustomStringConvertible {
  /// The message and the remedy in one line.
  package var description: String { "\(message); \(remedy)" }
}

extension ControlError {
  /// A failed system call, with its name and the system's reason.
  static func system(_ call: String, _ number: Int32, _ message: String) -> ControlError {
    ControlError(
      .system, message: "\(message): \(call): \(ErrorNumber(value: number).text)",
      remedy: "see `man 2 \(call)` for the cause")
  }
}
