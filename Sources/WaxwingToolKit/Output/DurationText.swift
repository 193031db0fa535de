// SPDX-License-Identifier: MIT

/// A length of time as people say it: `45s`, `9m 30s`, `2h 5m`, `7d`.
package enum DurationText {
  package static func of(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? Int(min(max(seconds.rounded(), 0), 1e9)) : 0
    if whole >= 172_800, whole.isMultiple(of: 86_400) { return "\(whole / 86_400)d" }
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    if hours > 0 { return minutes > 0 ? "\(hours)h \(minutes)m" : "\(hours)h" }
    if minutes > 0 { return rest > 0 ? "\(minutes)m \(rest)s" : "\(minutes)m" }
    return "\(rest)s"
  }
}
