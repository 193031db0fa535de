// SPDX-License-Identifier: MIT

extension Engine {
  /// For how long patches are applied, and on which conditions.
  struct Terms {
    /// Whether the patches are live again after a restart.
    var keeps = false
    /// After how many seconds they end by themselves, unless they are confirmed.
    var trialSeconds: Double?

    /// What `currentID` has to be; nil: anything.
    var ifCurrent: String?
    /// Whether they may take the place of patches with a higher version, or the same and other content.
    var acceptsAnyVersion = true

    /// Seconds: a week.
    static let longestTrial = 7 * 86_400.0
  }
}
