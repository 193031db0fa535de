// SPDX-License-Identifier: MIT

import Synchronization

/// The instance of the program that this process is, known once it listens.
final class CurrentInstance: Sendable {
  private let current = Mutex(ProgramInstance.first)

  var value: ProgramInstance {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
}
