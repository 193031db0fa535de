// SPDX-License-Identifier: MIT

import Glibc

/// Why a thread of the engine's could not be started.
package struct ThreadError: Error, Hashable, Sendable {
  /// The error number that `pthread_create` has returned.
  let number: Int32

  /// The error in one sentence.
  package var message: String {
    unsafe "the control thread cannot start: pthread_create: \(String(cString: strerror(number)))"
  }

  /// The remedy in one sentence.
  package var remedy: String { "see `man 2 pthread_create` for the cause" }
}
