// SPDX-License-Identifier: MIT

import Glibc
import WaxwingSystem

/// The date that a page of the manual bears.
enum ManualDate {
  static func today() throws(CommandError) -> String {
    guard let text = getenv("SOURCE_DATE_EPOCH").map({ String(cString: $0) }) else {
      return day(Glibc.time(nil))
    }
    // Until the year 9999.
    guard let seconds = Int(text), (0...253_402_300_799).contains(seconds) else {
      throw .usage(
        "SOURCE_DATE_EPOCH is not a number of seconds: '\(text)'",
        remedy: "set it to seconds since 1970, or not at all")
    }
    return day(seconds)
  }

  private static func day(_ seconds: Int) -> String { String(UTCDate.text(seconds).prefix(10)) }
}
