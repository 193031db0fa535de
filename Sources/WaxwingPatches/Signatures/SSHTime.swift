// SPDX-License-Identifier: MIT

import Glibc

/// The moments of `valid-after` and `valid-before`: `YYYYMMDD[HHMM[SS]]`, in UTC if `Z` follows,
/// otherwise in the system's time zone. Read as OpenSSH reads them, with strptime(3) and mktime(3).
enum SSHTime {
  /// The time in seconds since 1970; nil if the text is no moment.
  static func seconds(_ text: [UInt8]) -> Int? {
    var digits = text[...]
    var isUTC = false
    if text.count > 1, text[text.count - 1] | 0x20 == UInt8(ascii: "z") {
      digits = digits.dropLast()
      isUTC = true
    } else if text.count > 3, text.suffix(3).map({ $0 | 0x20 }) == Array("utc".utf8) {
      digits = digits.dropLast(3)
      isUTC = true
    }
    guard [8, 12, 14].contains(digits.count) else { return nil }
    let ranges = [1...12, 1...31, 0...23, 0...59, 0...61]
    guard let year = number(digits.prefix(4), 0...9999) else { return nil }
    var numbers = [0, 0, 0, 0, 0]
    var rest = digits.dropFirst(4)
    for (index, range) in ranges.enumerated() where !rest.isEmpty {
      guard let value = number(rest.prefix(2), range) else { return nil }
      numbers[index] = value
      rest = rest.dropFirst(2)
    }
    return seconds(year: year, numbers.map(Int32.init), isUTC: isUTC)
  }

  /// Days that a month does not have run into the next, as `mktime` has it.
  private static func seconds(year: Int, _ parts: [Int32], isUTC: Bool) -> Int? {
    var time = unsafe tm()
    unsafe time.tm_year = Int32(year - 1900)
    unsafe time.tm_mon = parts[0] - 1
    unsafe time.tm_mday = parts[1]
    unsafe time.tm_hour = parts[2]
    unsafe time.tm_min = parts[3]
    unsafe time.tm_sec = parts[4]
    let seconds = unsafe isUTC ? timegm(&time) : mktime(&time)
    return seconds < 0 ? nil : seconds
  }

  /// Digits, before which strptime(3) lets spaces stand.
  private static func number(_ text: ArraySlice<UInt8>, _ range: ClosedRange<Int>) -> Int? {
    let digits = text.drop { $0 == UInt8(ascii: " ") }
    guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
    let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return range.contains(value) ? value : nil
  }
}
