// SPDX-License-Identifier: MIT

import Glibc
import WaxwingSystem

/// A moment to the second, in JSON as `2026-05-04T03:02:01Z`.
package struct Timestamp: Hashable, Sendable {
  /// Seconds since 1970, UTC.
  package let secondsSince1970: Int

  /// Creates a moment from seconds since 1970, UTC.
  package init(secondsSince1970: Int) { self.secondsSince1970 = secondsSince1970 }

  /// The system clock's present second.
  package static func now() -> Timestamp { Timestamp(secondsSince1970: time(nil)) }
}

extension Timestamp: CustomStringConvertible {
  /// ISO 8601 in UTC.
  package var description: String { UTCDate.text(secondsSince1970) }

  /// Reads what ``description`` writes.
  init?(_ text: String) {
    guard text.utf8.count == 20, text.utf8.last == UInt8(ascii: "Z"),
      let seconds = UTCDate.seconds(text)
    else { return nil }
    self.init(secondsSince1970: seconds)
  }
}

extension Timestamp: Codable {
  /// Reads the form on the wire.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let moment = Timestamp(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "not a UTC time in ISO 8601")
    }
    self = moment
  }

  /// Writes the form on the wire.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
