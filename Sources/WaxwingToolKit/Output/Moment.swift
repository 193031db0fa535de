// SPDX-License-Identifier: MIT

import WaxwingSystem

/// A moment as `--json` has it: RFC 3339, UTC, with milliseconds, `2026-11-28T13:39:25.785Z`.
package struct Moment: Encodable, Equatable {
  private let milliseconds: Int

  /// - Parameter seconds: Since 1970; what is no time is that moment.
  package init(_ seconds: Double) {
    milliseconds = seconds.isFinite ? Int(min(max(seconds, 0), 1e11) * 1000) : 0
  }

  package var text: String {
    let fraction = String(String(1000 + milliseconds % 1000).dropFirst())
    return "\(UTCDate.text(milliseconds / 1000).dropLast()).\(fraction)Z"
  }

  package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
