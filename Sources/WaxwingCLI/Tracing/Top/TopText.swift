// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// The output of `waxwing top --once`: the same rows, in tables as wide as they need to be.
struct TopText {
  private let view: TopView

  init(_ view: TopView) { self.view = view }

  var lines: [String] {
    let sample = view.sample
    let title = "\(sample.daemon.name) (pid \(sample.daemon.pid))"
    if sample.patches.isEmpty { return ["\(title) is at baseline: no patches"] }
    return patches + [""] + overrides
  }

  private var patches: [String] {
    var table = TextTable(columns: [
      "PATCH", "STATE", .number("CALLS/S"),
      .number("FLIGHT"), .number("TASKS"),
      .number("MEMORY"), .number("ERRORS"),
    ])
    table.rows = view.order.sorted(view.sample.patches, view.sample.overrides).map { patch in
      [
        patch.name, patch.state.rawValue, TopView.number(patch.rate), "\(patch.callsInFlight)",
        "\(patch.tasks)", TopView.bytes(patch.memory), "\(patch.errors)",
      ]
    }
    return table.lines
  }

  private var overrides: [String] {
    var table = TextTable(columns: [
      "OVERRIDE", "PATCH", .number("CALLS/S"),
      .number("P50"), .number("P99"),
      .number("ERRORS"),
    ])
    table.rows = view.rows.map { row in
      let times = row.times?.shortCells ?? ["-", "-", "-"]
      return [
        row.function, row.patch, TopView.number(row.rate), times[0], times[1],
        row.isOff ? "off" : "\(row.errors)",
      ]
    }
    return table.lines
  }
}
