// SPDX-License-Identifier: MIT

import WaxwingControl

/// What `waxwing boot` and `waxwing status` say of kept patches.
struct BootText {
  let status: BootStatus

  /// The lines about kept patches; empty if there is nothing to report.
  var lines: [String] {
    var lines: [String] = []
    if let folder = status.folder, !status.kept.isEmpty || !status.quarantined.isEmpty {
      lines.append("store: \(folder), generation \(status.generation)")
    }
    lines += status.kept.map { patch in
      "  kept: \(patch.title)"
        + (patch.reason.isEmpty ? "" : ", \(patch.reason)")
    }
    lines += status.quarantined.map { patch in
      "  quarantined: \(patch.title)"
        + (patch.at.map { " since \($0)" } ?? "") + ": \(patch.reason)"
    }
    if let since = status.crashLoopSince {
      lines.append(
        "BASELINE since \(since): the program did not stay up with its kept patches; "
          + "`waxwing boot retry` or `waxwing boot drop`")
    }
    if let reason = status.disabled { lines.append("kept patches are switched off: \(reason)") }
    return lines + status.troubles.map { "store: \($0)" }
  }
}
