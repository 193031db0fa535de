// SPDX-License-Identifier: MIT

/// A call that is still inside a patch that has been told to end.
package struct Laggard: Hashable, Sendable, Codable {
  /// The patch.
  package let patch: String

  /// The override that the call is in.
  package let selector: String

  /// The kernel's id of the thread, as `ps -L` shows it.
  package let threadID: Int

  /// How long the call has been in there.
  package let ageSeconds: Double

  /// Creates a laggard.
  package init(patch: String, selector: String, threadID: Int, ageSeconds: Double) {
    self.patch = patch
    self.selector = selector
    self.threadID = threadID
    self.ageSeconds = ageSeconds
  }
}
