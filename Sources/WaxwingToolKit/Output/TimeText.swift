// SPDX-License-Identifier: MIT

/// A short time in three digits: `820 ns`, `12.3 µs`, `4.56 ms`, `1.23 s`.
enum TimeText {
  static func of(milliseconds: Double) -> String {
    guard milliseconds.isFinite, milliseconds > 0 else { return "0" }
    let units = [(1e-6, "ns"), (1e-3, "µs"), (1, "ms")]
    // What three digits round up to a thousand is one of the next unit.
    let unit = units.first { milliseconds / $0.0 < 999.5 } ?? (1000, "s")
    return "\(digits(milliseconds / unit.0)) \(unit.1)"
  }

  private static func digits(_ value: Double) -> String {
    if value >= 99.95 { return "\(Int(min(value, 1e15).rounded()))" }
    let decimals = value >= 9.995 ? 1 : 2
    let scale = decimals == 1 ? 10 : 100
    let scaled = Int((value * Double(scale)).rounded())
    let fraction = String(String(scale + scaled % scale).dropFirst())
    return "\(scaled / scale).\(fraction)"
  }
}
