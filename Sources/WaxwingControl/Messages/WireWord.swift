// SPDX-License-Identifier: MIT

/// A word of the protocol, of a set to which newer daemons may add: what is not known keeps its text.
package protocol WireWord: RawRepresentable<String>, Hashable, Sendable, Codable,
  CustomStringConvertible
{
  /// Takes any word, known or not.
  init(rawValue: String)
}

extension WireWord {
  /// The word itself.
  package var description: String { rawValue }
}
