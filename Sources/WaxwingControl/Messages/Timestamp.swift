// SPDX-License-Identifier: MIT

import Glibc

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
  package var description: String {
    var seconds = time_t(secondsSince1970)
    var parts = tm()
    guard gmtime_r(&seconds, &parts) != nil else { return "\(secondsSince1970) s" }
    func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = "\(Int(parts.tm_year) + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
    return "\(day)T\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))Z"
  }

  /// Reads what ``description`` writes.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    let separators: [Int: Character] = [4: "-", 7: "-", 10: "T", 13: ":", 16: ":", 19: "Z"]
    guard bytes.count == 20 else { return nil }
    for (place, character) in separators where bytes[place] != character.asciiValue { return nil }
    func number(_ range: Range<Int>) -> Int32? {
      let digits = bytes[range]
      guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return digits.reduce(0) { $0 * 10 + Int32($1 - 0x30) }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
    else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
    self.init(secondsSince1970: timegm(&parts))
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
