// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// What `waxwing times` prints: how long calls of each override took, and of the originals in it.
struct TimesText {
  let daemon: DaemonInfo
  let patches: [PatchStatus]

  var lines: [String] {
    let title = "\(daemon.name) (pid \(daemon.pid))"
    if patches.isEmpty { return ["\(title) is at baseline: no patches"] }
    let rows = patches.flatMap(rows(of:))
    let idle = patches.filter { $0.isMeasured != true }.map(\.name)
    let note =
      idle.isEmpty
      ? [] : ["not measured: \(idle.joined(separator: ", ")); `waxwing times on` begins"]
    if rows.isEmpty { return note.isEmpty ? ["\(title): no override is measured"] : note }
    var table = TextTable(columns: [
      "PATCH", "OVERRIDE", .number("CALLS"),
      .number("P50"), .number("P99"),
      .number("LONGEST"), .number("TOTAL"),
    ])
    table.rows = rows
    return table.lines + note
  }

  private func rows(of patch: PatchStatus) -> [[String]] {
    let measured = patch.overrides.filter { $0.times != nil }
    return measured.enumerated().flatMap { index, override -> [[String]] in
      guard let times = override.times else { return [] }
      let head = [index == 0 ? patch.name : "", override.qualifiedName]
      let originals = override.originalTimes.flatMap { $0.calls > 0 ? $0 : nil }
      return [head + times.cells] + (originals.map { [["", "  its original"] + $0.cells] } ?? [])
    }
  }
}
