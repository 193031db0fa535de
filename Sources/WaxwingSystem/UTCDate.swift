// SPDX-License-Identifier: MIT

import Glibc

/// Moments as RFC 3339 writes them: `2027-01-31T00:00:00Z`, `2027-01-31T01:00:00.5+01:00`.
package enum UTCDate {
  /// The time in whole seconds since 1970; nil for a text that is no moment from 1970 on.
  package static func seconds(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 40, hasSeparators(bytes) else { return nil }
    let starts = [5, 8, 11, 14, 17]
    guard let year = number(bytes[0..<4]), year >= 1970 else { return nil }
    var parts: [Int] = []
    for start in starts {
      guard let part = number(bytes[start..<(start + 2)]) else { return nil }
      parts.append(part)
    }
    guard (1...12).contains(parts[0]), (1...days(in: parts[0], of: year)).contains(parts[1]),
      parts[2] < 24, parts[3] < 60, parts[4] < 61, let offset = offset(bytes[19...])
    else { return nil }
    let day = days(year: year, month: parts[0], day: parts[1])
    let seconds = day * 86_400 + parts[2] * 3600 + parts[3] * 60 + parts[4] - offset
    return seconds < 0 ? nil : seconds
  }

  private static func hasSeparators(_ bytes: [UInt8]) -> Bool {
    bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-")
      && bytes[10] | 0x20 == UInt8(ascii: "t")
      && bytes[13] == UInt8(ascii: ":") && bytes[16] == UInt8(ascii: ":")
  }

  /// The offset of the zone after the seconds, in seconds. A fraction of a second does not count.
  private static func offset(_ text: ArraySlice<UInt8>) -> Int? {
    var rest = text
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix(while: isDigit)
      guard !digits.isEmpty else { return nil }
      rest = rest[digits.endIndex...]
    }
    guard let sign = rest.first else { return nil }
    if sign | 0x20 == UInt8(ascii: "z") { return rest.count == 1 ? 0 : nil }
    let zone = Array(rest.dropFirst())
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), zone.count == 5,
      zone[2] == UInt8(ascii: ":"), let hours = number(zone[0..<2]),
      let minutes = number(zone[3..<5]), hours < 24, minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "+") ? seconds : -seconds
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy(isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since the first of 1970, with years that begin in March, so that leap days come last.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    return marchYear * 365 + leapDays + dayOfYear - 719_468
  }
}

extension UTCDate {
  /// `2027-01-31T00:00:00Z`; the reverse of ``seconds(_:)``.
  package static func text(_ seconds: Int) -> String {
    var seconds = time_t(seconds)
    var parts = unsafe tm()
    guard unsafe gmtime_r(&seconds, &parts) != nil else { return "\(seconds) s after 1970" }
    func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day =
      unsafe "\(Int(parts.tm_year) + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
    return unsafe "\(day)T\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))Z"
  }
}
