// SPDX-License-Identifier: MIT

import WaxwingSystem

/// Lengths of time as operators write them.
package enum FleetDuration {
  /// The seconds of a duration as `DurationSyntax` reads it; nil for other texts.
  static func seconds(_ text: some StringProtocol) -> Int? {
    DurationSyntax.seconds(text).flatMap(Int.init(exactly:))
  }

  /// `45 s`, `10 min`, `2 h`, `7 d`: the largest unit that is whole.
  package static func text(_ seconds: Int) -> String {
    for (name, length) in [("d", 86_400), ("h", 3600), ("min", 60)]
    where seconds > 0 && seconds.isMultiple(of: length) {
      return "\(seconds / length) \(name)"
    }
    return "\(seconds) s"
  }
}
