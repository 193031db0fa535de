// SPDX-License-Identifier: MIT

/// One patch from `start` to `end`.
public struct Session: Hashable, Sendable {
  /// The name of the patch.
  public let name: String
  package let number: Int
}
