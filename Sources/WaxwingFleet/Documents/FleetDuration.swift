// SPDX-License-Identifier: MIT

/// Lengths of time as operators write them.
package enum FleetDuration {
  private static let units: [(suffix: String, seconds: Int)] = [
    ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400),
  ]

  /// Whole seconds of `90`, `90s`, `10m`, `2h`, `7d`; nil for what is none of these.
  package static func seconds(_ text: some StringProtocol) -> Int? {
    let unit = units.first { text.hasSuffix($0.suffix) }
    let digits = unit == nil ? text[...] : text.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits)
    else { return nil }
    let (seconds, overflow) = number.multipliedReportingOverflow(by: unit?.seconds ?? 1)
    return overflow ? nil : seconds
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
