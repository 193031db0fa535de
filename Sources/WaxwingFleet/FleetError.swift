// SPDX-License-Identifier: MIT

/// Why something about the fleet did not work, in words for its operator.
package struct FleetError: Error, Hashable, Sendable {
  /// The kinds of failure, by their remedies.
  package enum Code: String, Hashable, Sendable {
    /// The store cannot be reached, or has no leader: try again later.
    case unavailable
    /// The user's roles do not allow it.
    case denied
    /// The revision to watch from is gone from the history: read everything, and watch from there.
    case compacted
    /// Another writer has changed the document meanwhile, or the document exists already.
    case conflict
    /// There is no such document.
    case notFound
    /// The stored document is not what it should be: its hash, its form or its signature is wrong.
    case untrusted
    /// An argument or a file of the operator's is wrong.
    case invalid
    /// The user has to log in again. Stores deal with it themselves.
    case expired
    /// The watch was cancelled.
    case cancelled
  }

  /// The kind of error.
  package let code: Code
  /// The error in one sentence.
  package let message: String
  /// The remedy in one sentence; may be empty.
  let remedy: String

  /// Creates an error.
  package init(_ code: Code, _ message: String, remedy: String = "") {
    self.code = code
    self.message = message
    self.remedy = remedy
  }
}
