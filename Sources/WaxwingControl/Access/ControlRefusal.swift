// SPDX-License-Identifier: MIT

/// A client that was not let in, or did not get what it asked for, because of who it is.
package struct ControlRefusal: Hashable, Sendable {
  /// The client; nil if the system does not say who it is.
  package let peer: ControlPeer?

  /// What it asked for; nil: it was refused before it could ask.
  package let verb: String?

  /// What it was told.
  package let message: String
}
