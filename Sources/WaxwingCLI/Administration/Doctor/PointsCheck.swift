// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingControl
import WaxwingToolKit

/// Checks the description of a program's patch points, which the program has examined itself.
struct PointsCheck {
  /// The file, or the socket.
  let title: String
  let area: Diagnosis.Area
  let points: [PointEntry]

  /// How many of them can be overridden.
  func summary(remedy: String) -> Diagnosis {
    let refused = points.count { $0.refusal != nil }
    guard refused > 0 else { return .ok(area, "\(title): all patch points can be overridden") }
    return .ok(
      area,
      "\(title): \(points.count - refused) of \(points.count) patch points can be overridden; "
        + remedy)
  }

  /// Warnings about functions that patches cannot fully handle.
  var warnings: [Diagnosis] { opaque + switchless }

  private var opaque: [Diagnosis] {
    let found = points.filter { $0.opaque != nil }
    guard !found.isEmpty else { return [] }
    return [
      .warning(
        area,
        "\(title): \(counted(found.count, "patch point")) of \(points.count) "
          + "\(found.count == 1 ? "has" : "have") opaque values, most of them in \(Self.owners(of: found))",
        remedy: "`waxwing points` tells which, and why")
    ]
  }

  /// The owners with the most of the points.
  private static func owners(of points: [PointEntry]) -> String {
    let counts = Dictionary(grouping: points, by: \.ownerTitle).mapValues(\.count)
    let sorted = counts.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }.map(\.key)
    return sorted.prefix(3).joined(separator: ", ") + (sorted.count > 3 ? ", …" : "")
  }

  private var switchless: [Diagnosis] {
    let found = points.filter { PointDescription.isSwitchless(note: $0.note) }
    guard let first = found.first else { return [] }
    return [
      .warning(
        area,
        "\(title): the compiler has left out switches of executors: functions of actors may run off their "
          + "actor, patched or not, where they call \(first.selector)"
          + (found.count > 1 ? " or \(counted(found.count - 1, "other"))" : "")
          + " (`nonisolated(nonsending)`)",
        remedy: PointDescription.switchRemedy)
    ]
  }
}
