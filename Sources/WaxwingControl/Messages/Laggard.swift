// SPDX-License-Identifier: MIT

/// A call that is still inside a patch that has been told to end.
package struct Laggard: Hashable, Sendable, Codable {
  /// The name of the patch.
  package let patch: String

  /// The override that the call is in.
  package let selector: String

  /// The kernel's id of the thread, as `ps -L` shows it.
  package let threadID: Int

  /// The thread's name, as `ps -L -o comm` shows it; empty if it has none.
  package let threadName: String

  /// How long the call has been in there.
  package let ageSeconds: Double

  /// The Lua functions that it is in, innermost first, a line each.
  package let stack: [String]

  /// Creates a laggard.
  package init(
    patch: String, selector: String, threadID: Int, threadName: String = "", ageSeconds: Double,
    stack: [String] = []
  ) {
    self.patch = patch
    self.selector = selector
    self.threadID = threadID
    self.threadName = threadName
    self.ageSeconds = ageSeconds
    self.stack = stack
  }
}
