// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingCore

/// The time for which patches are applied, and the calls that they are applied to.
struct Terms: Sendable {
  /// Whether the patches are live again after a restart.
  var keeps = false
  /// The seconds after which the patches end unless they are confirmed; nil for no trial.
  var trialSeconds: Double?
  /// The calls that the patches take part in; nil for all.
  var selection: CallSelection?

  /// The longest trial in seconds: a week.
  static let longestTrial = 7 * 86_400.0

  /// The terms as records show them; nil if the patches stay until the program ends.
  var text: String? {
    // A client may send any number.
    let trial = trialSeconds.map { seconds in
      "trial \(Int(seconds.isFinite ? min(max(seconds, 0), Self.longestTrial).rounded() : 0)) s"
    }
    let words = [keeps ? "keep" : nil, trial, selection?.text].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  /// - Throws: `WaxwingError` if they contradict each other, or make no sense.
  func demandSound() throws(WaxwingError) {
    guard let selection else { return }
    if keeps {
      throw WaxwingError(
        .refused, "a patch that takes part in some calls only is not kept",
        remedy: "leave --keep out, or --calls, --key and --when")
    }
    if let share = selection.share, !(share > 0 && share <= 1) {
      throw WaxwingError(
        .refused, "the share of the calls is more than 0% and not more than 100%",
        remedy: "for example --calls 1%")
    }
    if selection.key != nil, selection.share == nil {
      throw WaxwingError(
        .refused,
        "a key says which calls belong together when a share is chosen, and there is none",
        remedy: "give --calls, too, for example --calls 1%")
    }
  }
}
