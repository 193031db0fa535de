// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// What `waxwing objects` prints: a row for each type of which a patch holds something.
struct HeldObjectsText {
  let daemon: DaemonInfo
  let patches: [HeldObjects]

  var lines: [String] {
    guard !patches.isEmpty else {
      return ["\(daemon.name) (pid \(daemon.pid)) is at baseline: no patches"]
    }
    var table = TextTable(columns: [
      "PATCH", "HOLDS", .number("COUNT"),
    ])
    for patch in patches {
      let held = rows(patch)
      if held.isEmpty { table.rows.append([patch.patch, "(nothing)", "0"]) }
      for (index, row) in held.enumerated() {
        table.rows.append([index == 0 ? patch.patch : "", row.type, "\(row.count)"])
      }
    }
    return table.lines
  }

  /// The most frequent first.
  private func rows(_ patch: HeldObjects) -> [(type: String, count: Int)] {
    var counts = patch.objects.merging(patch.values) { $0 &+ $1 }
    if patch.errors > 0 { counts["(errors)"] = patch.errors }
    return counts.map { (type: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.type) < ($0.count, $1.type) }
  }
}
