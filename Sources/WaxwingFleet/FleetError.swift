// SPDX-License-Identifier: MIT

/// Why something about the fleet did not work, in words for its operator.
package struct FleetError: Error, Hashable, Sendable {
  /// The kinds of failure, by what is to be done about them.
  package enum Code: String, Hashable, Sendable {
    /// The store cannot be reached, or has no leader: try again later.
    case unavailable
    /// The user's roles do not allow it.
    case denied
    /// What was watched is gone from the history: read everything, and watch from there.
    case compacted
    /// Something else has changed meanwhile, or exists already.
    case conflict
    /// There is no such document.
    case notFound
    /// What is stored is not what it should be: its hash, its form or its signature.
    case untrusted
    /// An argument or a file of the operator's is wrong.
    case invalid
    /// The user has to log in again. Stores deal with it themselves.
    case expired
    /// The watch was cancelled.
    case cancelled
  }

  /// The kind.
  package let code: Code
  /// One sentence: what happened.
  package let message: String
  /// One sentence: what to do about it; may be empty.
  let remedy: String

  /// Creates an error.
  package init(_ code: Code, _ message: String, remedy: String = "") {
    self.code = code
    self.message = message
    self.remedy = remedy
  }
}
