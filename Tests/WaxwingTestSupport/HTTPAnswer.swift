// SPDX-License-Identifier: MIT

/// An answer as it came over the wire.
package struct HTTPAnswer: Equatable, Sendable {
  package let status: Int
  /// Status line and header fields, without the empty line.
  package let head: String
  package let body: String
}
