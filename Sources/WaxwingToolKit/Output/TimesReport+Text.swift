// SPDX-License-Identifier: MIT

package import WaxwingControl

extension TimesReport {
  /// Number, p50, p99, longest and sum.
  package var cells: [String] {
    ["\(calls)", text(p50), text(p99), text(longest), text(sum)]
  }

  /// p50, p99 and longest; empty where there was no call.
  package var shortCells: [String] {
    calls == 0 ? ["", "", ""] : [text(p50), text(p99), text(longest)]
  }

  /// The times as a clause.
  package var sentence: String {
    if calls == 0 { return "no call was measured yet" }
    return "\(counted(Int(clamping: calls), "call")) took p50 \(text(p50)), p99 \(text(p99)), "
      + "longest \(text(longest))"
  }

  private func text(_ milliseconds: Double) -> String { TimeText.of(milliseconds: milliseconds) }
}
