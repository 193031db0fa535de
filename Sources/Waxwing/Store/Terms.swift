// SPDX-License-Identifier: MIT

extension Engine {
  /// For how long patches are applied.
  struct Terms {
    /// Whether the patches are live again after a restart.
    var keeps = false
    /// After how many seconds they end by themselves, unless they are confirmed.
    var trialSeconds: Double?

    /// Seconds: a week.
    static let longestTrial = 7 * 86_400.0
  }
}
