// SPDX-License-Identifier: MIT

/// A word of the protocol, from a set to which newer daemons may add: an unknown word keeps its
/// text.
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
