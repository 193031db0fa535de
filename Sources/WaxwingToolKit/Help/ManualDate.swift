// SPDX-License-Identifier: MIT

import Glibc
import WaxwingSystem

/// The date that a page of the manual bears.
enum ManualDate {
  /// The value of SOURCE_DATE_EPOCH.
  static var variable: String { environment ?? "" }

  private static var environment: String? {
    unsafe getenv("SOURCE_DATE_EPOCH").map { unsafe String(cString: $0) }
  }

  /// Today, or the day of SOURCE_DATE_EPOCH; nil: that is no number of seconds.
  static func today() -> String? {
    guard let text = environment else { return day(Glibc.time(nil)) }
    // Until the year 9999.
    guard let seconds = Int(text), (0...253_402_300_799).contains(seconds) else { return nil }
    return day(seconds)
  }

  private static func day(_ seconds: Int) -> String { String(UTCDate.text(seconds).prefix(10)) }
}
