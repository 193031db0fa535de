// SPDX-License-Identifier: MIT

/// Which calls a patch takes part in, where it is not to take part in all, and how. See
/// lua/waxwing/selection.lua, which decides.
package struct CallSelection: Hashable, Sendable {
  /// What becomes of the calls that are chosen.
  package enum Mode: String, Hashable, Sendable {
    /// They go through the patch, others to the original.
    case part
    /// They go to the original; the patch runs beside it, and what it would have returned is compared.
    case shadow
    /// Calls that are made again for a client go through the patch, others to the original.
    case replay
  }

  package var mode: Mode
  /// More than 0, and 1 at most: the part of the calls; nil: all.
  package var share: Double?
  /// A Lua expression over `self` and `args`: calls for which it has the same value are chosen alike.
  package var key: String?
  /// A Lua expression over `self` and `args`: only calls for which it is true.
  package var condition: String?
  /// Of a shadow: whether its scripts may call what may change something.
  package var allowsEffects = false

  package init(_ mode: Mode) { self.mode = mode }

  /// Whether expressions of an operator's run in the program.
  package var hasExpressions: Bool { key != nil || condition != nil }

  /// Whether its scripts only look on.
  package var refusesEffects: Bool { mode == .shadow && !allowsEffects }

  /// What a patch is called that is live in this way, besides the patch of its name.
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

  private static func percent(_ share: Double) -> String {
    let hundredths = Int((share * 10_000).rounded())
    let fraction = hundredths % 100
    if fraction == 0 { return "\(hundredths / 100)%" }
    let digits = fraction < 10 ? "0\(fraction)" : "\(fraction)"
    return "\(hundredths / 100).\(digits)%"
  }
}
