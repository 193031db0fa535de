// SPDX-License-Identifier: MIT

/// The answer to a client that handles a name: a message of a patch, if there was one in time.
package struct ReceivedMessage: Codable, Hashable, Sendable {
  /// The number that the reply names.
  package let number: Int?
  /// The patch that has sent it.
  package let patch: String?
  /// The text of the message, by convention JSON.
  package let text: String?

  /// The answer if no message came in time.
  package static let none = ReceivedMessage(number: nil, patch: nil, text: nil)

  package init(number: Int?, patch: String?, text: String?) {
    self.number = number
    self.patch = patch
    self.text = text
  }
}
