// SPDX-License-Identifier: MIT

import WaxwingFleet

/// Errors and latency of treated and untreated nodes over time, from one look at the fleet to the next.
struct ConsoleCurves {
  /// Older points are forgotten: ten minutes of looks every two seconds.
  static let limit = 300

  private(set) var points: [ConsoleDocument.Point] = []
  private var last: [String: NodeReport.Counters] = [:]

  /// Adds a point.
  /// - Parameter milliseconds: Since 1970.
  mutating func add(_ view: FleetView, at milliseconds: Int) {
    var point = ConsoleDocument.Point(at: milliseconds)
    let groups = Dictionary(grouping: view.reports.values) { isTreated($0, view) }
    let treated = totals(groups[true] ?? [])
    let untreated = totals(groups[false] ?? [])
    point.treatedErrors = treated.errorShare.map { $0 * 100 }
    point.untreatedErrors = untreated.errorShare.map { $0 * 100 }
    point.treatedLatency = treated.latency.map { $0 / 1000 }
    point.untreatedLatency = untreated.latency.map { $0 / 1000 }
    points = points.suffix(Self.limit - 1) + [point]
    last = view.reports.mapValues(\.counters)
  }

  private func isTreated(_ report: NodeReport, _ view: FleetView) -> Bool {
    report.set != nil && report.set == view.rollout?.set
  }

  private func totals(_ reports: [NodeReport]) -> GroupTotals {
    GroupTotals(
      reports.compactMap { report in
        last[report.node].map { report.counters.since($0) }
      })
  }
}
