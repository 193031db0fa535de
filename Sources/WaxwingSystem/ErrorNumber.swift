// SPDX-License-Identifier: MIT

import Glibc

/// A value of `errno`.
package struct ErrorNumber: Error, Hashable, Sendable {
  package let value: Int32

  package init(value: Int32) {
    self.value = value
  }

  /// The system's text for the error.
  package var text: String { unsafe String(cString: strerror(value)) }

  /// The call would have to wait.
  package var wouldBlock: Bool { value == EAGAIN || value == EWOULDBLOCK }
}
