// SPDX-License-Identifier: MIT

/// Which calls a patch takes part in, and how, if it does not take part in all. See
/// lua/waxwing/selection.lua, which decides.
package struct CallSelection: Hashable, Sendable {
  /// The treatment of the selected calls.
  package enum Mode: String, Hashable, Sendable {
    /// Selected calls go through the patch, all others to the original.
    case part
    /// Selected calls go to the original; the patch runs beside it, and the engine compares the
    /// results.
    case shadow
    /// Calls that are made again for a client go through the patch, others to the original.
    case replay
  }

  package var mode: Mode
  /// The share of the calls that are selected, above 0 and at most 1; nil for all.
  package var share: Double?
  /// A Lua expression over `self` and `args`: calls for which it has the same value are chosen alike.
  package var key: String?
  /// A Lua expression over `self` and `args`: only calls for which it is true.
  package var condition: String?
  /// Whether the scripts of a shadow may call functions that may have effects.
  package var allowsEffects = false

  package init(_ mode: Mode) { self.mode = mode }

  /// Whether its scripts only look on.
  package var refusesEffects: Bool { mode == .shadow && !allowsEffects }

  /// The name of a patch that is live in this mode, beside the patch of the same name.
  package func sessionName(of name: String) -> String {
    switch mode {
    case .part: name
    case .shadow: "\(name)-shadow"
    case .replay: "\(name)-replay"
    }
  }

  /// `1% of calls by self.id, when args[1] > 5`
  package var text: String {
    switch mode {
    case .replay: return "replays only"
    case .shadow, .part:
      var text = mode == .shadow ? "shadow of " : ""
      text += share.map { "\(Self.percent($0)) of calls" } ?? "calls"
      if let key { text += " by \(key)" }
      if let condition { text += " when \(condition)" }
      return text
    }
  }

  /// A share in percent with two digits. Small shares get two digits that are not 0, so that a part
  /// is shown neither as `0%` nor as `100%`.
  private static func percent(_ share: Double) -> String {
    var (unit, digits) = (100.0, 2)
    while digits < 20, isHidden(share * 100, unit) { (unit, digits) = (unit * 10, digits + 1) }
    let number = (share * 100 * unit).rounded()
    guard number.isFinite, number < 1e15 else { return "\(share * 100)%" }
    let all = String(Int(number))
    let text = String(repeating: "0", count: max(0, digits + 1 - all.count)) + all
    let fraction = text.suffix(digits).reversed().drop { $0 == "0" }.reversed()
    return text.dropLast(digits) + (fraction.isEmpty ? "" : "." + String(fraction)) + "%"
  }

  /// Whether a percentage looks like none, or all, of the calls when it is rounded.
  private static func isHidden(_ percentage: Double, _ unit: Double) -> Bool {
    guard percentage > 0, percentage < 100 else { return false }
    let rounded = (percentage * unit).rounded() / unit
    return rounded >= 100 || (percentage < 0.1 && rounded * unit < 10)
  }
}
