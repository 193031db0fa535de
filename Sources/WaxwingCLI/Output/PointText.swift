// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// What `waxwing explain` prints: the pieces of Lua that a call comes through, then the original.
struct PointText {
  let point: PointStatus
  let daemon: DaemonInfo

  init(point: PointStatus, _ daemon: DaemonInfo) {
    self.point = point
    self.daemon = daemon
  }

  var lines: [String] {
    let title = "\(point.name) in \(daemon.name) (pid \(daemon.pid))"
    guard !point.steps.isEmpty else {
      let entry =
        point.isAtBaseline ? "" : "; calls pass through the engine until those in flight end"
      return ["\(title) is not overridden\(entry)", "the original is \(original)"] + closure
    }
    let head = "\(title): a call comes to, in this order"
    return [head] + table + ["the original is \(original)"] + closure + times + errors
  }

  private var original: String {
    "the program's own code: \(point.image) at 0x\(String(point.offset, radix: 16))"
  }

  /// What is known of a closure.
  private var closure: [String] {
    (point.source.map { ["it is written at \($0)"] } ?? [])
      + (point.captures.map { ["it has captured \($0)"] } ?? [])
  }

  private var table: [String] {
    var table = TextTable(columns: [
      .number(""), "PATCH",
      .number("VERSION"), "KIND", "AT",
      .number("CALLS"), .number("ERRORS"),
    ])
    let after = point.steps.firstIndex { $0.kind == .after } ?? point.steps.count
    table.rows = rows(0..<after)
    table.rows.append(["", "(the program)", "", "original", "", "", ""])
    table.rows += rows(after..<point.steps.count)
    return table.lines
  }

  private func rows(_ range: Range<Int>) -> [[String]] {
    zip(range, point.steps[range]).map { index, step in
      let kind = ([step.kind.rawValue] + step.limits).joined(separator: ", ")
      return [
        "\(index + 1)", step.patch, "\(step.version)", kind, step.place, "\(step.calls)",
        "\(step.errors)",
      ]
    }
  }

  private var times: [String] {
    point.steps.enumerated().flatMap { index, step -> [String] in
      guard let times = step.times else { return [] }
      let originals = step.originalTimes.flatMap { $0.calls > 0 ? $0 : nil }
      return ["\(index + 1): \(times.sentence)"]
        + (originals.map { ["\(index + 1): of its original, \($0.sentence)"] } ?? [])
    }
  }

  private var errors: [String] {
    point.steps.enumerated().flatMap { index, step -> [String] in
      guard let error = step.lastError else { return [] }
      let head = "\(index + 1) failed last at \(error.at): \(error.located)"
      return [head] + error.traceback.map { "    " + $0 }
    }
  }
}
