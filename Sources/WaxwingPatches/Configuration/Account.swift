// SPDX-License-Identifier: MIT

/// A user or a group of the system.
package enum Account: Hashable, Sendable {
  /// A user, by its number.
  case user(UInt32)
  /// A group, by its number.
  case group(UInt32)
}
