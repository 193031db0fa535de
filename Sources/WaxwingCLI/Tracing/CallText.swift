// SPDX-License-Identifier: MIT

import Glibc

/// Times, as lines about calls have them.
enum CallText {
  /// The time of day, such as `12:01:02.123`.
  static func clock(_ seconds: Double) -> String {
    var time = time_t(seconds)
    var parts = unsafe tm()
    unsafe localtime_r(&time, &parts)
    let thousandths = Int((seconds - Double(time)) * 1000)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let fraction = String(String(1000 + min(max(thousandths, 0), 999)).dropFirst())
    return unsafe "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).\(fraction)"
  }

  /// `0.041 ms`, `1500.000 ms`
  static func milliseconds(_ seconds: Double) -> String {
    let thousandths = Int((seconds * 1e6).rounded())
    let fraction = String(String(1000 + thousandths % 1000).dropFirst())
    return "\(thousandths / 1000).\(fraction) ms"
  }

  /// The receiver of a method, shortened; nil for a type, which the selector names.
  /// - Parameter isWhole: Whether to show all that the daemon has sent, because the user asked for
  ///   the fields.
  static func shortened(_ receiver: String, isWhole: Bool = false) -> String? {
    if receiver.isEmpty || receiver.hasSuffix(".static") { return nil }
    return receiver.count > 60 && !isWhole ? receiver.prefix(60) + "…" : receiver
  }
}
