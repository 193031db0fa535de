// SPDX-License-Identifier: MIT

/// For how long patches are applied.
struct Terms: Sendable {
  /// Whether the patches are live again after a restart.
  var keeps = false
  /// After how many seconds they end by themselves, unless they are confirmed.
  var trialSeconds: Double?

  /// Seconds: a week.
  static let longestTrial = 7 * 86_400.0

  /// As records have it; nil: until the program ends.
  var text: String? {
    // A client may send any number.
    let trial = trialSeconds.map { seconds in
      "trial \(Int(seconds.isFinite ? min(max(seconds, 0), Self.longestTrial).rounded() : 0)) s"
    }
    let words = [keeps ? "keep" : nil, trial].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}
