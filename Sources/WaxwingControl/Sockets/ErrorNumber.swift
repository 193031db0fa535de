// SPDX-License-Identifier: MIT

import Glibc

/// A value of `errno`.
package struct ErrorNumber: Error, Hashable, Sendable {
  package let value: Int32

  package init(value: Int32) {
    self.value = value
  }

  /// What the system calls the error.
  package var text: String { String(cString: strerror(value)) }

  /// The call would have to wait.
  package var wouldBlock: Bool { value == EAGAIN || value == EWOULDBLOCK }
}

extension ControlError {
  /// A failed system call, with its name and the system's reason.
  static func system(_ call: String, _ number: Int32, _ message: String) -> ControlError {
    ControlError(
      .system, message: "\(message): \(call): \(ErrorNumber(value: number).text)",
      remedy: "see `man 2 \(call)` for the cause")
  }
}
