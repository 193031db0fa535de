// SPDX-License-Identifier: MIT

/// Whom a role is given to.
package enum ControlPrincipal: Hashable, Sendable {
  /// A user, by its number.
  case user(UInt32)
  /// All members of a group, by its number.
  case group(UInt32)
}
