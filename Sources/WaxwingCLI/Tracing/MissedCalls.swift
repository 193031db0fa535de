// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

extension TraceReport {
  /// Which calls of functions are not seen, by the functions' selectors.
  var missedCalls: [String: String] {
    Dictionary(
      (missed ?? []).map { ($0.selector, $0.reason) }, uniquingKeysWith: { first, _ in first })
  }

  /// Says which calls are not seen.
  func noteMissedCalls(_ console: Console) {
    let missed = missed ?? []
    for point in missed.prefix(5) { console.note("\(point.selector): \(point.reason)") }
    if missed.count > 5 {
      console.note("and calls of \(missed.count - 5) others; `waxwing points --code` lists them")
    }
  }
}
