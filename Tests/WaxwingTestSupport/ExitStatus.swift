// SPDX-License-Identifier: MIT

import Glibc

/// How a process ended.
package enum ExitStatus: Equatable, Sendable {
  case exited(Int32)
  case signalled(Int32)

  /// - Parameter waitStatus: As `waitpid` gives it.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .exited((waitStatus >> 8) & 0xFF) : .signalled(signal)
  }
}
