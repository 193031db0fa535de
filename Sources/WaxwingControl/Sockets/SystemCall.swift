// SPDX-License-Identifier: MIT

import Glibc

/// What a system call returned, or the error number, read before anything else could change it.
enum SystemCall {
  /// Calls until no signal interrupts.
  static func retrying(_ call: () -> Int) -> Result<Int, ErrorNumber> {
    while true {
      let result = call()
      if result >= 0 { return .success(result) }
      let number = errno
      if number != EINTR { return .failure(ErrorNumber(value: number)) }
    }
  }

  static func retrying(_ call: () -> Int32) -> Result<Int, ErrorNumber> {
    retrying { Int(call()) }
  }
}

/// A value of `errno`.
struct ErrorNumber: Error, Hashable, Sendable {
  let value: Int32

  var text: String { String(cString: strerror(value)) }

  /// The call would have to wait.
  var wouldBlock: Bool { value == EAGAIN || value == EWOULDBLOCK }
}

extension ControlError {
  /// A failed system call, with its name and the system's reason.
  static func system(_ call: String, _ number: Int32, _ message: String) -> ControlError {
    ControlError(
      .system, message: "\(message): \(call): \(ErrorNumber(value: number).text)",
      remedy: "see `man 2 \(call)` for the cause")
  }
}
