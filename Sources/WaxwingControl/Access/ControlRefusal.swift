// SPDX-License-Identifier: MIT

/// A client that was not let in, or whose request was refused, because of its user.
package struct ControlRefusal: Hashable, Sendable {
  /// The client; nil if the system does not say who it is.
  package let peer: ControlPeer?

  /// The verb of the request; nil if the client was refused before it sent one.
  package let verb: String?

  /// The message that the client was sent.
  package let message: String
}
